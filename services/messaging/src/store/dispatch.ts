/*
 * Statements that join a list to this table name its rows by `= any (list)`, and join by "is not distinct
 * from", which no index serves. The table is a queue: with statistics taken while it was empty the planner
 * would otherwise read all of it and look up each row in the list.
 */
import {
	BOOLEAN_ARRAY,
	type Queryable,
	type Tx,
} from "@airtower/platform/database";

/** Names one claim of one dispatcher: what a settle must still find in place. */
export interface Fence {
	readonly messageId: string;
	readonly token: string;
	readonly attempt: number;
}

/** How a row goes on waiting. */
export interface Postponement extends Fence {
	readonly state: "queued" | "unknown";
	/** From now; null means until the end of its validity. */
	readonly delayMs: number | null;
	readonly refusals: number;
	readonly doubtful: boolean;
}

/** Messages that share what a fence says beside them: those of one claim mostly do. */
export interface FencedMessages {
	readonly token: string;
	readonly attempt: number;
	readonly messageIds: string[];
}

/** Fences by token and attempt: a statement for each needs no list beside the list of ids. */
export function groupFences(fences: readonly Fence[]): FencedMessages[] {
	const groups = Map.groupBy(
		fences,
		({ token, attempt }) => `${token} ${attempt}`,
	);
	return [...groups.values()].flatMap((group) => {
		const [first] = group;
		if (first === undefined) return [];
		const { token, attempt } = first;
		return [{ token, attempt, messageIds: group.map((one) => one.messageId) }];
	});
}

/** Ends the dispatch of messages; answers the ids for which the fence held. */
export async function deleteDispatched(
	sql: Tx,
	fences: readonly Fence[],
): Promise<string[]> {
	const deleted = await Promise.all(
		groupFences(fences).map(
			({ token, attempt, messageIds }) => sql<{ messageId: string }[]>`
				delete from dispatch
				where message_id = any(${messageIds}::uuid[])
				and token = ${token}
				and attempt = ${attempt}
				returning message_id as "messageId"
			`,
		),
	);
	return deleted.flat().map((row) => row.messageId);
}

/** Puts rows back to wait; answers the ids for which the fence held. */
export async function postponeDispatch(
	sql: Tx,
	postponements: readonly Postponement[],
): Promise<string[]> {
	if (postponements.length === 0) return [];
	const ids = postponements.map((one) => one.messageId);
	const rows = await sql<{ messageId: string }[]>`
		update dispatch
		set
			state = held.state,
			token = null,
			due_at = coalesce(
				now() + held.delay_ms * interval '1 millisecond',
				dispatch.expires_at
			),
			refusals = held.refusals,
			doubtful = held.doubtful
		from unnest(
			${ids}::uuid[],
			${postponements.map((one) => one.token)}::uuid[],
			${postponements.map((one) => one.attempt)}::integer[],
			${postponements.map((one) => one.state)}::text[],
			${postponements.map((one) => one.delayMs)}::float8[],
			${postponements.map((one) => one.refusals)}::integer[],
			${sql.array(
				postponements.map((one) => one.doubtful),
				BOOLEAN_ARRAY,
			)}::boolean[]
		) as held (message_id, token, attempt, state, delay_ms, refusals, doubtful)
		where dispatch.message_id = any(${ids}::uuid[])
		and dispatch.message_id is not distinct from held.message_id
		and dispatch.token = held.token
		and dispatch.attempt = held.attempt
		returning dispatch.message_id as "messageId"
	`;
	return rows.map((row) => row.messageId);
}

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
