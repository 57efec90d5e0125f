import type { Queryable, Tx } from "@airtower/platform/database/database";
import { statesBefore } from "../domain/message-state.ts";
import {
	type Claim,
	type ClaimNumber,
	claimOf,
	type Fence,
	isHeld,
} from "./dispatch.ts";
import { groupAlike } from "./groups.ts";

/** A row that this process holds. */
export interface ClaimedRow {
	readonly messageId: string;
	/**
	 * Number of this claim of the row, from 1. No other claim has it: what an earlier one has left, a copy in
	 * memory or a statement on its way, does not fit a later one.
	 */
	readonly attempt: number;
	/** Temporary refusals so far. */
	readonly refusals: number;
	/** True when the operator refused it once for no clear reason. */
	readonly doubtful: boolean;
	/** True when it was sent before and no answer came. */
	readonly resent: boolean;
	/** Validity left as it was claimed, by the database's clock, ms; 0 or less when it was over. */
	readonly validityMs: number;
}

export interface ClaimRange {
	readonly route: string;
	readonly limit: number;
	/** Organizations after this one, in id order. */
	readonly after: string;
	/** Up to and with this one. */
	readonly upTo: string;
}

/** Organizations with due work, in id order: two index probes for each organization that has any work. */
export async function findDueOrganizations(
	sql: Queryable,
	range: ClaimRange,
): Promise<string[]> {
	const rows = await sql<{ organizationId: string }[]>`
		with recursive owners as (
			(
				select organization_id
				from dispatch
				where route = ${range.route}
				and organization_id > ${range.after}
				order by organization_id
				limit 1
			)
			union all
			select next.organization_id
			from owners
			cross join lateral (
				select organization_id
				from dispatch
				where route = ${range.route}
				and organization_id > owners.organization_id
				order by organization_id
				limit 1
			) as next
		)
		select owners.organization_id as "organizationId"
		from owners
		cross join lateral (
			select
			from dispatch
			where route = ${range.route}
			and dispatch.organization_id = owners.organization_id
			and due_at <= now()
			and state in ('queued', 'unknown')
			limit 1
		) as due
		where owners.organization_id <= ${range.upTo}
		limit ${range.limit}
	`;
	return rows.map((row) => row.organizationId);
}

/** Claims up to `share` due rows of each organization, oldest first; rows held by others are passed over. */
export async function claimDispatch(
	sql: Tx,
	route: string,
	organizationIds: readonly string[],
	share: number,
	token: string,
): Promise<ClaimedRow[]> {
	return sql<ClaimedRow[]>`
		update dispatch
		set
			resent = resent or state = 'unknown',
			state = 'claimed',
			token = ${token},
			attempt = attempt + 1
		where message_id = any(array(
			select due.message_id
			from unnest(${[...organizationIds]}::uuid[]) as owner (id)
			cross join lateral (
				select message_id
				from dispatch
				where route = ${route}
				and organization_id = owner.id
				and due_at <= now()
				and state in ('queued', 'unknown')
				order by due_at
				limit ${share}
				for update skip locked
			) as due
		))
		returning
			message_id as "messageId",
			attempt,
			refusals,
			doubtful,
			resent,
			extract(epoch from expires_at - clock_timestamp())::float8 * 1000 as "validityMs"
	`;
}

/** Gives back all rows that a token has claimed on a route and not begun to submit; answers how many. */
export async function releaseClaims(
	sql: Tx,
	token: string,
	route: string,
): Promise<number> {
	const released = await sql`
		update dispatch
		set
			state = 'queued',
			token = null
		where token = ${token}
		and route = ${route}
		and state = 'claimed'
	`;
	return released.count;
}

/** A claim whose message is marked as submitting. */
export interface BegunClaim extends ClaimNumber {
	/** True when its validity is over, by the database's clock. */
	readonly expired: boolean;
}

/**
 * Marks claimed rows and their messages as submitting; answers the claims that still hold. A message that
 * was sent before without an answer is marked as a possible duplicate. Safe to repeat with the same rows
 * when the answer to the commit was lost.
 */
export async function markSubmitting(
	sql: Queryable,
	claimed: readonly Fence[],
): Promise<BegunClaim[]> {
	const begun = await Promise.all(
		groupAlike(claimed, claimOf).map((claim) => beginAttempt(sql, claim)),
	);
	return begun.flat();
}

async function beginAttempt(
	sql: Queryable,
	claim: Claim,
): Promise<BegunClaim[]> {
	return sql<BegunClaim[]>`
		with begun as (
			update dispatch
			set state = 'submitting'
			where ${isHeld(sql, claim)}
			returning
				message_id,
				attempt,
				resent,
				expires_at <= now() as expired,
				old.state as state_before
		), marked as (
			update messages
			set
				status = case
					when status in ${sql(statesBefore("submitting"))} then 'submitting'
					else status
				end,
				attempts = attempts + (begun.state_before = 'claimed')::integer,
				possible_duplicate = possible_duplicate or begun.resent
			from begun
			where messages.id = begun.message_id
		)
		select message_id as "messageId", attempt, expired
		from begun
	`;
}

/**
 * Gives back claimed rows of which a mark as submitting failed; answers the ids of those that it had marked
 * all the same. None of them may have been sent.
 */
export async function releaseUnbegun(
	sql: Tx,
	claimed: readonly Fence[],
): Promise<string[]> {
	const released = await Promise.all(
		groupAlike(claimed, claimOf).map(
			(claim) => sql<{ messageId: string; stateBefore: string }[]>`
				update dispatch
				set
					state = 'queued',
					token = null
				where ${isHeld(sql, claim)}
				returning message_id as "messageId", old.state as "stateBefore"
			`,
		),
	);
	return released
		.flat()
		.filter(({ stateBefore }) => stateBefore === "submitting")
		.map(({ messageId }) => messageId);
}

/** Frees the claimed rows of dispatchers that are gone; answers how many. */
export async function requeueClaimed(
	sql: Tx,
	tokens: readonly string[],
): Promise<number> {
	const requeued = await sql`
		update dispatch
		set
			state = 'queued',
			token = null
		where token = any(${[...tokens]}::uuid[])
		and state = 'claimed'
	`;
	return requeued.count;
}

/**
 * Declares what dispatchers that are gone were submitting as unknown; answers the ids. A message that
 * may be sent once more is due after `waitMs` (null: never), any other at the end of its validity.
 */
export async function orphanSubmitting(
	sql: Tx,
	tokens: readonly string[],
	waitMs: number | null,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set
			state = 'unknown',
			token = null,
			due_at = case
				when resent then expires_at
				else coalesce(
					now() + ${waitMs}::float8 * interval '1 millisecond',
					expires_at
				)
			end
		where token = any(${[...tokens]}::uuid[])
		and state = 'submitting'
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}
