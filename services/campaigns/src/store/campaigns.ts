import type { Queryable, Tx } from "@airtower/platform/database/database";
import {
	type CampaignProgress,
	type CampaignState,
	OUTCOME_WAIT_MS,
} from "../domain/campaign-state.ts";

export interface Campaign extends CampaignProgress {
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
	readonly messageTemplate: string;
	readonly senderId: string;
	readonly senderName: string;
	readonly audienceTags: string[];
	readonly audienceTagMatchMode: "all" | "any";
	readonly defaultCountry: string;
	readonly status: CampaignState;
	readonly statusReason: string | null;
	readonly scheduledAt: Date | null;
	readonly startedAt: Date | null;
	readonly completedAt: Date | null;
	readonly createdAt: Date;
	readonly snapshotDone: boolean;
	readonly snapshotAfter: number;
	readonly snapshotUntil: number | null;
}

export type NewCampaign = Pick<
	Campaign,
	| "id"
	| "organizationId"
	| "name"
	| "messageTemplate"
	| "senderId"
	| "senderName"
	| "audienceTagMatchMode"
	| "defaultCountry"
> & {
	readonly audienceTags: readonly string[];
	/** Absent for one that starts at once. */
	readonly scheduledAt: Date | undefined;
};

/** A campaign in the hands of one job, until the lease ends. */
export interface Leased extends Campaign {
	readonly leaseToken: string;
}

const columns = (sql: Queryable) => sql`
	id, organization_id as "organizationId", name, message_template as "messageTemplate",
	sender_id as "senderId", sender_name as "senderName", audience_tags as "audienceTags",
	audience_tag_match_mode as "audienceTagMatchMode", default_country as "defaultCountry",
	status, status_reason as "statusReason", scheduled_at as "scheduledAt",
	started_at as "startedAt", completed_at as "completedAt", created_at as "createdAt",
	snapshot_done as "snapshotDone", snapshot_after as "snapshotAfter", snapshot_until as "snapshotUntil",
	audience, skipped, accepted, delivered, failed
`;

/** Inserts a campaign: scheduled for later, or sending from now on. */
export async function insertCampaign(
	sql: Tx,
	campaign: NewCampaign,
): Promise<Campaign> {
	const later = campaign.scheduledAt !== undefined;
	const [row] = await sql<Campaign[]>`
		insert into campaigns (
			id, organization_id, name, message_template, sender_id, sender_name,
			audience_tags, audience_tag_match_mode, default_country,
			status, scheduled_at, started_at, due_at
		)
		values (
			${campaign.id}, ${campaign.organizationId}, ${campaign.name}, ${campaign.messageTemplate},
			${campaign.senderId}, ${campaign.senderName},
			${campaign.audienceTags}::text[], ${campaign.audienceTagMatchMode}, ${campaign.defaultCountry},
			${later ? "scheduled" : "sending"},
			${campaign.scheduledAt ?? null},
			${later ? null : sql`now()`},
			${later ? sql`${campaign.scheduledAt ?? null}::timestamptz` : sql`now()`}
		)
		returning ${columns(sql)}
	`;
	if (row === undefined) throw new Error("The insert answered no row.");
	return row;
}

/** One page of campaigns, newest first. */
export async function listCampaigns(
	sql: Queryable,
	organizationId: string,
	page: { limit: number; after: { createdAt: Date; id: string } | undefined },
): Promise<Campaign[]> {
	return sql<Campaign[]>`
		select ${columns(sql)}
		from campaigns
		where organization_id = ${organizationId}
		${page.after === undefined ? sql`` : sql`and (created_at, id) < (${page.after.createdAt}, ${page.after.id})`}
		order by created_at desc, id desc
		limit ${page.limit}
	`;
}

/** Takes a due campaign that nobody holds; a scheduled one is sending from now on. */
export async function claimDueCampaign(
	sql: Queryable,
	leaseToken: string,
	leaseMs: number,
): Promise<Leased | undefined> {
	const [row] = await sql<Campaign[]>`
		update campaigns
		set
			status = case status when 'scheduled' then 'sending' else status end,
			started_at = coalesce(started_at, now()),
			lease_token = ${leaseToken},
			lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where id = (
			select id
			from campaigns
			where due_at <= now()
			and status in ('scheduled', 'sending', 'paused')
			and (lease_until is null or lease_until < now())
			order by due_at
			limit 1
			for update skip locked
		)
		returning ${columns(sql)}
	`;
	return row === undefined ? undefined : { ...row, leaseToken };
}

/**
 * Extends the lease, within a transaction also locking the campaign; answers undefined when the
 * lease has passed to somebody else, who then owns the work.
 */
export async function holdLease(
	sql: Queryable,
	campaign: Leased,
	leaseMs: number,
): Promise<Leased | undefined> {
	const [row] = await sql<Campaign[]>`
		update campaigns
		set lease_until = now() + ${leaseMs} * interval '1 millisecond'
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
		returning ${columns(sql)}
	`;
	return row === undefined
		? undefined
		: { ...row, leaseToken: campaign.leaseToken };
}

/** Gives the campaign back; it is looked at again after `dueInMs`, or by an event alone when null. */
export async function releaseCampaign(
	sql: Queryable,
	campaign: Leased,
	dueInMs: number | null,
): Promise<void> {
	await sql`
		update campaigns
		set
			lease_token = null,
			lease_until = null,
			due_at = ${dueInMs === null ? null : sql`now() + ${dueInMs} * interval '1 millisecond'`}
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
	`;
}

/**
 * Pauses a sending campaign. It is tried again after as long as it has been paused, within the bounds
 * (ms), or sooner when something changes.
 */
export async function pauseCampaign(
	sql: Queryable,
	campaign: Leased,
	reason: string,
	bounds: { shortest: number; longest: number },
): Promise<void> {
	await sql`
		update campaigns
		set
			status = 'paused',
			status_reason = ${reason},
			paused_since = coalesce(paused_since, now()),
			lease_token = null,
			lease_until = null,
			due_at = now() + least(
				greatest(now() - paused_since, ${bounds.shortest} * interval '1 millisecond'),
				${bounds.longest} * interval '1 millisecond'
			)
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
		and status in ('sending', 'paused')
	`;
}

/** A paused campaign whose reason has passed is sending again. */
export async function resumeCampaign(
	sql: Queryable,
	campaignId: string,
): Promise<void> {
	await sql`
		update campaigns
		set status = 'sending', status_reason = null, paused_since = null
		where id = ${campaignId}
		and status = 'paused'
	`;
}

/**
 * Makes the paused campaigns of these organizations due now; answers how many. The pause counts anew:
 * one that is being tried meanwhile may have asked just before the change, and asks again soon.
 */
export async function wakePausedCampaigns(
	sql: Queryable,
	organizationIds: readonly string[],
): Promise<number> {
	const rows = await sql`
		update campaigns
		set due_at = now(), paused_since = now()
		where status = 'paused'
		and organization_id = any(${organizationIds}::uuid[])
	`;
	return rows.count;
}

/**
 * Notes that nobody is left to send to, which stays so: there is nothing that a pause could be for,
 * and the wait for the last outcomes begins.
 */
export async function markStaged(
	sql: Queryable,
	campaignId: string,
): Promise<void> {
	await sql`
		update campaigns
		set
			status = 'sending',
			status_reason = null,
			paused_since = null,
			staged_at = coalesce(staged_at, now())
		where id = ${campaignId}
		and status in ('sending', 'paused')
	`;
}

export interface ProgressDelta {
	readonly audience?: number;
	readonly skipped?: number;
	readonly accepted?: number;
	readonly delivered?: number;
	readonly failed?: number;
}

/**
 * Adds to a campaign's counts, after the recipients were changed in the same transaction: everybody
 * locks recipients first and the campaign last.
 */
export async function addProgress(
	sql: Tx,
	campaignId: string,
	delta: ProgressDelta,
): Promise<void> {
	await sql`
		update campaigns
		set
			audience = audience + ${delta.audience ?? 0},
			skipped = skipped + ${delta.skipped ?? 0},
			accepted = accepted + ${delta.accepted ?? 0},
			delivered = delivered + ${delta.delivered ?? 0},
			failed = failed + ${delta.failed ?? 0}
		where id = ${campaignId}
	`;
}

/** Notes how far the snapshot has come. */
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

/**
 * Ends the sending campaigns among these whose every recipient is settled, or has been staged for so
 * long that no outcome is to be expected; answers their ids. Nobody sent to is `failed`; anybody left
 * out, not reached or without an outcome makes it `completed_with_errors`.
 */
export async function completeSettledCampaigns(
	sql: Queryable,
	campaignIds: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		update campaigns
		set
			status = case
				when accepted = 0 then 'failed'
				when delivered = audience then 'completed'
				else 'completed_with_errors'
			end,
			status_reason = case when accepted = 0 then 'no_audience' end,
			completed_at = now(),
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
		returning id
	`;
	return rows.map((row) => row.id);
}
