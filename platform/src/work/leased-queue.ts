import type postgres from "postgres";
import {
	type Db,
	type Queryable,
	type Tx,
	transaction,
} from "../database/database.ts";
import { lockLease } from "./lease.ts";

/*
 * A work queue in a table of the service. A row waits while its `token` is null; a claim sets `token` to that of the
 * process's lease and counts `attempt` up, and nothing that an index or its predicate mentions, so that the update is
 * heap-only. A settle names token and attempt: no row means that somebody else owns the work by now. Success deletes
 * the row. Rows whose lease ran out are found by its token and handed to the service.
 *
 * The table needs: its key, `token uuid`, `attempt integer`, `due_at timestamptz`, and an index on the columns that
 * name the queue, then the group, then due_at. With a fillfactor of 45 each page has room to claim all its rows.
 */

/** What the statements need to know of a queue table. `K`: names of its key in code. */
export interface LeasedQueue<K extends string> {
	readonly table: string;
	/** Columns of the primary key, all of them uuid, by their names in code. */
	readonly key: Readonly<Record<K, string>>;
	/** A uuid column: the work of each of its values gets an equal share of a claim. */
	readonly group: string;
	/** A column that tells how much of a claim's limit a row takes; each takes 1 without it. */
	readonly weight?: string;
}

/** Which row. */
export type QueueKey<K extends string> = Readonly<Record<K, string>>;

/** Names one claim of one row: what a settle must still find in place. No two claims of a row have the same attempt. */
export type Fence<K extends string> = QueueKey<K> & {
	readonly token: string;
	readonly attempt: number;
};

/** Before every group's id. */
export const FIRST_GROUP = "00000000-0000-0000-0000-000000000000";

export interface DueGroups {
	/** Condition that names the queue within its table, by equality of the index's first columns. */
	readonly within: postgres.Fragment;
	/** The walk begins after this group and ends with it. */
	readonly after: string;
	/** Most that the claim takes, shared equally. */
	readonly limit: number;
}

/**
 * Common table expressions, to follow `with recursive`: `due_groups (id, place, share)` holds up to `limit` groups with
 * due work, by their place in the walk. It goes from index entry to index entry, so that it costs two probes a group,
 * however many rows wait. The next walk begins after the last group that was served.
 */
export function dueGroups(
	sql: Queryable,
	{ table, group }: LeasedQueue<string>,
	{ within, after, limit }: DueGroups,
): postgres.Fragment {
	const firstGroup = (beyond: postgres.Fragment) => sql`(
		select ${sql(group)} as id
		from ${sql(table)}
		where ${within} ${beyond}
		order by ${sql(group)}
		limit 1
	)`;
	return sql`
		walk (id, place, wrapped) as (
			select ${after}::uuid, 0, false
			union all
			select coalesce(later.id, first.id), place + 1, wrapped or later.id is null
			from walk
			left join lateral ${firstGroup(sql`and ${sql(group)} > walk.id`)} as later on true
			left join lateral ${firstGroup(sql``)} as first on later.id is null and not wrapped
			where case
				when wrapped then later.id <= ${after}
				when later.id is null then first.id <= ${after}
				else true
			end
		),
		due_groups as (
			select id, place, ceil(${limit}::float8 / count(*) over ())::integer as share
			from (
				select id, place
				from walk
				cross join lateral (
					select
					from ${sql(table)}
					where ${within}
					and ${sql(group)} = walk.id
					and due_at <= now()
					and token is null
					order by due_at
					limit 1
				) as head
				where place > 0
				limit ${limit}
			) as due
		)
	`;
}

export interface Claim {
	/** That of the process's lease; nothing is claimed once it is lost. */
	readonly token: string;
	/** A relation `(id, place, share)`: the groups, in turn, and most rows of each. */
	readonly groups: postgres.Fragment;
	/** Conditions beside being due, with a leading "and". */
	readonly where?: postgres.Fragment;
	/** Further changes, with a leading comma, of columns that no index mentions. */
	readonly set?: postgres.Fragment;
	/** Most weight: the last row may go beyond. */
	readonly limit: number;
}

/**
 * A statement, or a common table expression, that claims due rows, the oldest of each group first, rows held by
 * others passed over, and returns all columns of each. The lease cannot be taken over before its transaction ends.
 */
export function claimDue(
	sql: Queryable,
	{ table, group, weight }: LeasedQueue<string>,
	{ token, groups, where = sql``, set = sql``, limit }: Claim,
): postgres.Fragment {
	return sql`
		update ${sql(table)} as work
		set
			token = ${token},
			attempt = work.attempt + 1
			${set}
		where ctid = any(array(
			select row
			from (
				select
					due.row,
					sum(due.weight) over (order by due_groups.place, due.due_at, due.row) - due.weight as before
				from ${groups} as due_groups
				cross join lateral (
					select
						ctid as row,
						due_at,
						${weight === undefined ? sql`1` : sql(weight)} as weight
					from ${sql(table)}
					where ${sql(group)} = due_groups.id
					and due_at <= now()
					and token is null
					${where}
					order by due_at
					limit due_groups.share
					for update skip locked
				) as due
			) as ranked
			where before < ${limit}
		))
		and exists (
			select
			from leases
			where token = ${token}
			for key share
		)
		returning work.*
	`;
}

/**
 * A relation of claims for the `from` of an update or the `using` of a delete, named `held`, with further columns as
 * array parameters: `{ delay_ms: sql`${delays}::float8[]` }`. To be joined by {@link isHeld}.
 */
export function heldRows<K extends string>(
	sql: Queryable,
	{ key }: LeasedQueue<K>,
	fences: readonly Fence<K>[],
	columns: Readonly<Record<string, postgres.Fragment>> = {},
): postgres.Fragment {
	const keys = Object.entries<string>(key) as [K, string][];
	const lists = [
		...keys.map(([name]) => sql`${fences.map((fence) => fence[name])}::uuid[]`),
		sql`${fences.map((fence) => fence.token)}::uuid[]`,
		sql`${fences.map((fence) => fence.attempt)}::integer[]`,
		...Object.values(columns),
	];
	const names = [
		...keys.map(([, column]) => column),
		...["token", "attempt"],
		...Object.keys(columns),
	].map((name) => sql`${sql(name)}`);
	return sql`unnest(${commaList(sql, lists)}) as held (${commaList(sql, names)})`;
}

/**
 * The condition that a claim of `held` is still the row's own; the table must be called `work`.
 * @param others who may be settled beside the holder of the token, a condition on `work`
 */
export function isHeld(
	sql: Queryable,
	{ key }: LeasedQueue<string>,
	others?: postgres.Fragment,
): postgres.Fragment {
	const keys = Object.values(key).map(
		(column) => sql`work.${sql(column)} = held.${sql(column)} and`,
	);
	const owner = sql`work.token = held.token`;
	return sql`
		${keys}
		work.attempt = held.attempt
		and ${others === undefined ? owner : sql`(${owner} or ${others})`}
	`;
}

/** Puts rows under void tokens back to wait, due as they were; returns how many. */
export async function requeue(
	sql: Tx,
	{ table }: LeasedQueue<string>,
	tokens: readonly string[],
): Promise<number> {
	const requeued = await sql`
		update ${sql(table)}
		set token = null
		where token = any(${[...tokens]}::uuid[])
	`;
	return requeued.count;
}

export interface OwnRows<K extends string> {
	readonly token: string;
	/** What the process knows to hold. */
	readonly known: readonly QueueKey<K>[];
	/** Which rows of the token are meant; no other claim of them may be under way. */
	readonly within: postgres.Fragment;
	/** Further changes, with a leading comma. */
	readonly set?: postgres.Fragment;
}

/**
 * After a claim whose response was lost: puts rows under the process's own token back to wait that it does not know
 * of. Nothing was sent for them. Waits for a claim that is still about to commit. Returns how many.
 */
export async function releaseUnknown<K extends string>(
	sql: Db,
	{ table, key }: LeasedQueue<K>,
	{ token, known, within, set }: OwnRows<K>,
): Promise<number> {
	const keys = Object.entries<string>(key) as [K, string][];
	return transaction(sql, async (sql) => {
		await lockLease(sql, token);
		const lists = keys.map(
			([name]) => sql`${known.map((one) => one[name])}::uuid[]`,
		);
		const columns = keys.map(([, column]) => sql`${sql(column)}`);
		const released = await sql`
			update ${sql(table)}
			set token = null ${set ?? sql``}
			where token = ${token}
			and ${within}
			and (${commaList(sql, columns)}) not in (
				select *
				from unnest(${commaList(sql, lists)})
			)
		`;
		return released.count;
	});
}

function commaList(
	sql: Queryable,
	items: readonly postgres.Fragment[],
): postgres.Fragment[] {
	return items.map((item, place) => (place === 0 ? item : sql`, ${item}`));
}
