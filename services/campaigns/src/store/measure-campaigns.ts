import type { Queryable } from "@airtower/platform/database/database";

interface CampaignMeasures {
	readonly scheduled: number;
	readonly sending: number;
	readonly paused: number;
	readonly pending: number;
	/** Seconds. */
	readonly overdueS: number;
}

/** Of the campaigns that a job is to look at again. */
export async function measureCampaigns(
	sql: Queryable,
): Promise<CampaignMeasures> {
	const [row] = await sql<[CampaignMeasures]>`
		select
			count(*) filter (where status = 'scheduled') as scheduled,
			count(*) filter (where status = 'sending') as sending,
			count(*) filter (where status = 'paused') as paused,
			coalesce(sum(audience - skipped - accepted) filter (where status in ('sending', 'paused')), 0)::bigint as pending,
			coalesce(
				greatest(0, max(extract(epoch from now() - due_at)) filter (where lease_token is null)),
				0
			)::float8 as "overdueS"
		from campaigns
		where due_at is not null
	`;
	return row;
}
