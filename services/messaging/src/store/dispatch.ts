import type { Queryable, Tx } from "@airtower/platform/database/database";
import { type Group, groupAlike } from "./groups.ts";

/** Names one claim of one dispatcher: what a settle must still find in place. */
export interface Fence {
	readonly messageId: string;
	readonly token: string;
	readonly attempt: number;
}

/** Which claim of which row. */
export type ClaimNumber = Pick<Fence, "messageId" | "attempt">;

/** Names a claim in a set or a map. */
export function claimKey({ messageId, attempt }: ClaimNumber): string {
	return `${messageId} ${attempt}`;
}

/** Messages that were claimed together. */
export type Claim = Group<Fence, Pick<Fence, "token" | "attempt">>;

/** How a row goes on waiting. */
export interface Postponement extends Fence {
	readonly state: "queued" | "unknown";
	/** From now; null means until the end of its validity. */
	readonly delayMs: number | null;
	readonly refusals: number;
	readonly doubtful: boolean;
}

/** Ends the dispatch of messages whose attempt is over; answers the claims for which the fence held. */
export async function deleteDispatched(
	sql: Tx,
	fences: readonly Fence[],
): Promise<ClaimNumber[]> {
	const deleted = await Promise.all(
		groupAlike(fences, claimOf).map(
			(claim) => sql<ClaimNumber[]>`
				delete from dispatch
				where ${mayBeSettled(sql, claim)}
				returning message_id as "messageId", attempt
			`,
		),
	);
	return deleted.flat();
}

/** Puts rows back to wait whose attempt is over; answers the claims for which the fence held. */
export async function postponeDispatch(
	sql: Tx,
	postponements: readonly Postponement[],
): Promise<ClaimNumber[]> {
	const groups = groupAlike(postponements, (one) => ({
		...claimOf(one),
		state: one.state,
		refusals: one.refusals,
		doubtful: one.doubtful,
	}));
	const postponed = await Promise.all(
		groups.map(({ shared, items }) => {
			const delays = items.map((one) => one.delayMs);
			const place = sql`array_position(${items.map((one) => one.messageId)}::uuid[], message_id)`;
			return sql<ClaimNumber[]>`
				update dispatch
				set
					state = ${shared.state},
					token = null,
					due_at = coalesce(
						now() + (${delays}::float8[])[${place}] * interval '1 millisecond',
						expires_at
					),
					refusals = ${shared.refusals},
					doubtful = ${shared.doubtful}
				where ${mayBeSettled(sql, { shared, items })}
				returning message_id as "messageId", attempt
			`;
		}),
	);
	return postponed.flat();
}

/** What messages that were claimed together share. */
export function claimOf({ token, attempt }: Fence): Claim["shared"] {
	return { token, attempt };
}

/** The rows of a claim that still holds. */
export const isHeld = (sql: Queryable, claim: Claim) => sql`
	${isLatest(sql, claim)}
	and token = ${claim.shared.token}
`;

/**
 * The rows that a finished attempt may settle: held, or declared unknown by others and not claimed since. These
 * wait for what is here: an operator answers once.
 */
const mayBeSettled = (sql: Queryable, claim: Claim) => sql`
	${isLatest(sql, claim)}
	and (token = ${claim.shared.token} or state = 'unknown')
`;

/** The rows whose latest claim it is, whether it holds or not. */
const isLatest = (sql: Queryable, { shared, items }: Claim) => sql`
	message_id = any(${items.map((one) => one.messageId)}::uuid[])
	and attempt = ${shared.attempt}
`;

/** Takes messages out of dispatch whose end came by a receipt, whoever holds them. */
export async function deleteDispatch(
	sql: Tx,
	messageIds: readonly string[],
): Promise<void> {
	if (messageIds.length === 0) return;
	await sql`
		delete from dispatch
		where message_id = any(${[...messageIds]}::uuid[])
	`;
}

/**
 * Takes waiting rows out whose validity is over, rows held by others passed over; answers their ids.
 * Only ids below `beforeId` are looked at: the oldest, for ids begin with their time.
 */
export async function deleteExpiredDispatch(
	sql: Tx,
	beforeId: string,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ messageId: string }[]>`
		delete from dispatch
		where message_id = any(array(
			select message_id
			from dispatch
			where message_id < ${beforeId}
			and expires_at <= now()
			and state in ('queued', 'unknown')
			order by message_id
			limit ${limit}
			for update skip locked
		))
		returning message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

export interface RouteWork {
	readonly route: string;
	readonly queued: number;
	/** Claimed by a process, or on its way. */
	readonly submitting: number;
	readonly unknown: number;
	/** Null when nothing is due. */
	readonly oldestDueAt: Date | null;
}

/** Unfinished work by route; a route without any is left out. */
export async function countWorkByRoute(sql: Queryable): Promise<RouteWork[]> {
	return sql<RouteWork[]>`
		select
			route,
			count(*) filter (where state = 'queued') as queued,
			count(*) filter (where state in ('claimed', 'submitting')) as submitting,
			count(*) filter (where state = 'unknown') as unknown,
			min(due_at) filter (where state = 'queued' and due_at <= now()) as "oldestDueAt"
		from dispatch
		group by route
		order by route
	`;
}

/** Rows that wait, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count
		from (select from dispatch limit ${limit}) as waiting
	`;
	return row?.count ?? 0;
}
