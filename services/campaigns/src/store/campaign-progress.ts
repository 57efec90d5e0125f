import type { Queryable, Tx } from "@airtower/platform/database/database";
import {
	type CampaignProgress,
	OUTCOME_WAIT_MS,
} from "../domain/campaign-state.ts";
import type { Leased } from "./campaign-leases.ts";

/** Comes after the change of the recipients: everybody locks recipients first and the campaign last. */
export async function addProgress(
	sql: Tx,
	campaignId: string,
	delta: Partial<CampaignProgress>,
): Promise<void> {
	await sql`
		update campaigns
		set
			audience = audience + ${delta.audience ?? 0},
			skipped = skipped + ${delta.skipped ?? 0},
			accepted = accepted + ${delta.accepted ?? 0},
			delivered = delivered + ${delta.delivered ?? 0},
			failed = failed + ${delta.failed ?? 0},
			duplicates = duplicates + ${delta.duplicates ?? 0}
		where id = ${campaignId}
	`;
}

export async function updateSnapshot(
	sql: Tx,
	campaignId: string,
	snapshot: { after: number; until: number | null; done: boolean },
): Promise<void> {
	await sql`
		update campaigns
		set
			snapshot_after = ${snapshot.after},
			snapshot_until = ${snapshot.until},
			snapshot_done = ${snapshot.done}
		where id = ${campaignId}
	`;
}

export async function resumeCampaign(
	sql: Queryable,
	campaignId: string,
): Promise<void> {
	await sql`
		update campaigns
		set status = 'sending', status_reason = null, paused_since = null
		where id = ${campaignId}
		and status = 'paused'
		and status_reason <> 'requested'
	`;
}

/** True for a campaign that was cancelled less than so long ago, ms. */
export async function isCancelledWithin(
	sql: Queryable,
	campaignId: string,
	ms: number,
): Promise<boolean> {
	const rows = await sql`
		select
		from campaigns
		where id = ${campaignId}
		and status = 'cancelled'
		and completed_at between now() - ${ms} * interval '1 millisecond' and now()
	`;
	return rows.count > 0;
}

/**
 * The pause counts anew: a campaign that is being tried meanwhile may have asked just before, and asks again soon.
 * A pause that was asked for ends only when its organization is closed.
 */
export async function wakePausedCampaigns(
	sql: Queryable,
	organizationIds: readonly string[],
	closed: readonly string[] = [],
): Promise<number> {
	const rows = await sql`
		update campaigns
		set due_at = now(), paused_since = now()
		where id = any(array(
			select id
			from campaigns
			where status = 'paused'
			and organization_id = any(${organizationIds}::uuid[])
			and (status_reason <> 'requested' or organization_id = any(${closed}::uuid[]))
			order by id
			for update
		))
	`;
	return rows.count;
}

/** Notes that nobody is left to send to: a pause ends, and the wait for the last outcomes begins. */
export async function markStaged(
	sql: Queryable,
	{ id, leaseToken }: Leased,
): Promise<void> {
	await sql`
		update campaigns
		set
			status = 'sending',
			status_reason = null,
			paused_since = null,
			starved = false,
			staged_at = coalesce(staged_at, now())
		where id = ${id}
		and lease_token = ${leaseToken}
		and status in ('sending', 'paused')
	`;
}

/**
 * Ends the sending campaigns whose every recipient is settled, or was staged too long ago for an outcome to come. One of
 * which a batch is left goes on until it has given back what it reserves. Returns the organizations of those that ended.
 */
export async function completeSettledCampaigns(
	sql: Queryable,
	campaignIds: readonly string[],
): Promise<string[]> {
	const ended = await sql<{ organizationId: string }[]>`
		update campaigns
		set
			status = case
				when accepted = 0 then 'failed'
				when delivered + duplicates = audience then 'completed'
				else 'completed_with_errors'
			end,
			status_reason = case when accepted = 0 then 'no_audience' end,
			completed_at = now(),
			starved = false,
			due_at = null,
			lease_token = null,
			lease_until = null
		where id = any(${campaignIds}::uuid[])
		and status = 'sending'
		and snapshot_done
		and skipped + accepted = audience
		and (
			delivered + failed = accepted
			or staged_at <= now() - ${OUTCOME_WAIT_MS} * interval '1 millisecond'
		)
		and not exists (
			select
			from sent_batches
			where campaign_id = campaigns.id
		)
		returning organization_id as "organizationId"
	`;
	return ended.map(({ organizationId }) => organizationId);
}
