import type { Queryable } from "@airtower/platform/database/database";
import { OUTCOME_WAIT_MS } from "../domain/campaign-state.ts";
import { type Campaign, selectCampaign } from "./campaigns.ts";

/** A campaign in the hands of one job, until the lease ends. */
export interface Leased extends Campaign {
	readonly leaseToken: string;
	/** Nobody else can have it before this time of `performance.now()`. */
	readonly heldUntil: number;
}

/** Renewed while the job runs: short, because a holder that stands still keeps its campaign for as long. */
export const LEASE_MS = 10_000;
/** A paused campaign is tried again without an event too: some reasons end without one. */
const SHORTEST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 600_000;

/**
 * A scheduled campaign is sending from now on; a cancelled one is due for those that it did not send to.
 * @param passedOver organizations whose campaigns are left alone
 */
export async function claimDueCampaign(
	sql: Queryable,
	leaseToken: string,
	passedOver: readonly string[] = [],
): Promise<Leased | undefined> {
	const heldUntil = performance.now() + LEASE_MS;
	const [row] = await sql<Campaign[]>`
		update campaigns
		set
			status = case status when 'scheduled' then 'sending' else status end,
			started_at = case status when 'cancelled' then started_at else coalesce(started_at, now()) end,
			lease_token = ${leaseToken},
			lease_until = ${inMs(sql, LEASE_MS)}
		where id = (
			select id
			from campaigns
			where due_at <= now()
			and status in ('scheduled', 'sending', 'paused', 'cancelled')
			and (lease_until is null or lease_until < now())
			and organization_id <> all(${[...passedOver]}::uuid[])
			order by due_at
			limit 1
			for update skip locked
		)
		returning ${selectCampaign(sql)}
	`;
	return row && { ...row, leaseToken, heldUntil };
}

/** Renews the lease; returns undefined when it has passed to somebody else, who then owns the work. */
export async function holdLease(
	sql: Queryable,
	{ id, leaseToken }: Leased,
): Promise<Leased | undefined> {
	const heldUntil = performance.now() + LEASE_MS;
	const [row] = await sql<Campaign[]>`
		update campaigns
		set lease_until = ${inMs(sql, LEASE_MS)}
		where id = ${id}
		and lease_token = ${leaseToken}
		returning ${selectCampaign(sql)}
	`;
	return row && { ...row, leaseToken, heldUntil };
}

/** A lease from before the clock stepped back would last longer than any: whoever works renews it, or it ends. */
export async function shortenLeases(sql: Queryable): Promise<void> {
	await sql`
		update campaigns
		set lease_until = ${inMs(sql, LEASE_MS)}
		where lease_until > ${inMs(sql, LEASE_MS)}
	`;
}

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
			due_at = ${inMs(sql, dueInMs)}
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
	`;
}

/** Gives a campaign back that waits for outcomes alone, until the wait that began when it was staged is over. */
export async function releaseStaged(
	sql: Queryable,
	campaign: Leased,
	atLeastInMs: number,
): Promise<void> {
	await sql`
		update campaigns
		set
			lease_token = null,
			lease_until = null,
			due_at = greatest(
				staged_at + ${OUTCOME_WAIT_MS} * interval '1 millisecond',
				${inMs(sql, atLeastInMs)}
			)
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
	`;
}

/** Gives a campaign back paused. It is due after as long as it has been paused, or sooner by an event. */
export async function pauseCampaign(
	sql: Queryable,
	campaign: Leased,
	reason: string,
): Promise<void> {
	await sql`
		update campaigns
		set
			status = 'paused',
			status_reason = ${reason},
			paused_since = coalesce(paused_since, now()),
			starved = starved or ${reason === "quota_exhausted"},
			lease_token = null,
			lease_until = null,
			due_at = least(
				greatest(now() + (now() - paused_since), ${inMs(sql, SHORTEST_PAUSE_MS)}),
				${inMs(sql, LONGEST_PAUSE_MS)}
			)
		where id = ${campaign.id}
		and lease_token = ${campaign.leaseToken}
		and status in ('sending', 'paused')
	`;
}

function inMs(sql: Queryable, ms: number | null) {
	return sql`now() + ${ms}::float8 * interval '1 millisecond'`;
}
