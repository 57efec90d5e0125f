import type { Queryable, Tx } from "@airtower/platform/database/database";
import { type Campaign, selectCampaign } from "./campaigns.ts";

/** A change of one campaign, unless its status does not allow it: undefined then. */
export type CampaignChange = (
	sql: Tx,
	organizationId: string,
	id: string,
) => Promise<Campaign | undefined>;

/** Takes the campaign from whoever works on it. */
export const pauseByRequest: CampaignChange = async (
	sql,
	organizationId,
	id,
) => {
	const [row] = await sql<Campaign[]>`
		update campaigns
		set
			status = 'paused',
			status_reason = 'requested',
			paused_since = now(),
			due_at = null,
			${withoutLease(sql)}
		where ${isOpen(sql, organizationId, id)}
		returning ${selectCampaign(sql)}
	`;
	return row;
};

/** A pause that nobody asked for ends when its reason has gone: the campaign is due to find out. */
export const resumeByRequest: CampaignChange = async (
	sql,
	organizationId,
	id,
) => {
	const isRequested = sql`status_reason = 'requested'`;
	const isEarly = sql`started_at is null and scheduled_at > now()`;
	const [row] = await sql<Campaign[]>`
		update campaigns
		set
			status = case
				when not ${isRequested} then 'paused'
				when ${isEarly} then 'scheduled'
				else 'sending'
			end,
			status_reason = case when not ${isRequested} then status_reason end,
			paused_since = case when not ${isRequested} then now() end,
			due_at = case when ${isRequested} and ${isEarly} then scheduled_at else now() end
		where ${isOpen(sql, organizationId, id)}
		and status = 'paused'
		returning ${selectCampaign(sql)}
	`;
	return row;
};

/** Takes the campaign from whoever works on it; it is due for those that it did not send to. */
export const cancelByRequest: CampaignChange = async (
	sql,
	organizationId,
	id,
) => {
	const [row] = await sql<Campaign[]>`
		update campaigns
		set
			status = 'cancelled',
			status_reason = null,
			paused_since = null,
			starved = false,
			completed_at = now(),
			due_at = now(),
			${withoutLease(sql)}
		where ${isOpen(sql, organizationId, id)}
		returning ${selectCampaign(sql)}
	`;
	return row;
};

function isOpen(sql: Queryable, organizationId: string, id: string) {
	return sql`
		id = ${id}
		and organization_id = ${organizationId}
		and status in ('scheduled', 'sending', 'paused')
	`;
}

function withoutLease(sql: Queryable) {
	return sql`lease_token = null, lease_until = null`;
}
