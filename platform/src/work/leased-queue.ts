import type postgres from "postgres";
import {
	type Db,
	type Queryable,
	type Tx,
	transaction,
} from "../database/database.ts";
import { type Columns, unnest } from "../database/unnest.ts";
import { lockLease } from "./lease-rows.ts";

/** A settle that finds no row under its token and attempt: somebody else owns the work. ARCHITECTURE, section 6. */
export interface LeasedQueue<K extends string> {
	readonly table: string;
	/** Columns of the primary key, all of them uuid, by their names in code. */
	readonly key: Readonly<Record<K, string>>;
	/** A uuid column: the work of each of its values gets an equal share of a claim. */
	readonly group: string;
	/** A column that tells how much of a claim's limit a row takes; each takes 1 without it. */
	readonly weight?: string;
}

export type QueueKey<K extends string> = Readonly<Record<K, string>>;

/** Names one claim of one row: no two claims of a row have the same attempt. */
export type Fence<K extends string> = QueueKey<K> & {
	readonly token: string;
	readonly attempt: number;
};

export interface Claim {
	readonly token: string;
	/** A relation `(id, nth, share)`: the groups, in turn, and most rows of each. */
	readonly groups: postgres.Fragment;
	/** Conditions beside being due, with a leading "and". */
	readonly where?: postgres.Fragment;
	/** Further changes, with a leading comma, of columns that no index mentions. */
	readonly set?: postgres.Fragment;
	/** Most weight: the last row may go beyond. */
	readonly limit: number;
}

/** Claims due rows, the oldest of each group first. The lease cannot be taken over before its transaction ends. */
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
					sum(due.weight) over (order by due_groups.nth, due.due_at, due.row) - due.weight as before
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

/** Claims as a relation `owned` with further columns, to be joined by {@link isOwned}. */
export function ownedRows<K extends string, Row extends Fence<K>>(
	sql: Queryable,
	{ key }: LeasedQueue<K>,
	rows: readonly Row[],
	columns: Columns<Row> = {},
): postgres.Fragment {
	const fence = { ...uuids(key), token: "uuid", attempt: "integer" } as const;
	const all: Columns<Row> = { ...fence, ...columns };
	return unnest(sql, rows, all, { as: "owned", names: key });
}

/** The table must be called `work`; `others` may be settled beside the holder of the token. */
export function isOwned(
	sql: Queryable,
	{ key }: LeasedQueue<string>,
	others?: postgres.Fragment,
): postgres.Fragment {
	const keys = Object.values(key).map(
		(column) => sql`work.${sql(column)} = owned.${sql(column)} and`,
	);
	const owner = sql`work.token = owned.token`;
	return sql`
		${keys}
		work.attempt = owned.attempt
		and ${others === undefined ? owner : sql`(${owner} or ${others})`}
	`;
}

/** Puts back all rows of these tokens; returns how many. */
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
	/** Claims that the process tracks. */
	readonly known: readonly (QueueKey<K> & { readonly attempt: number })[];
	/** Which rows of the token are meant; no other claim of them may be under way. */
	readonly within: postgres.Fragment;
	/** Further changes, with a leading comma. */
	readonly set?: postgres.Fragment;
}

/** After a claim whose response was lost: puts back rows of the process's own token that it does not track. */
export async function releaseUntracked<K extends string>(
	sql: Db,
	{ table, key }: LeasedQueue<K>,
	{ token, known, within, set }: OwnRows<K>,
): Promise<number> {
	const claim = { ...uuids(key), attempt: "integer" } as const;
	const columns = [...Object.values<string>(key), "attempt"];
	return transaction(sql, async (sql) => {
		await lockLease(sql, token);
		const released = await sql`
			update ${sql(table)}
			set token = null ${set ?? sql``}
			where token = ${token}
			and ${within}
			and (${sql(columns)}) not in (
				select *
				from ${unnest(sql, known, claim)}
			)
		`;
		return released.count;
	});
}

export function uuids<K extends string>(key: Readonly<Record<K, string>>) {
	const columns = Object.keys(key).map((name) => [name, "uuid"]);
	return Object.fromEntries(columns) as Record<K, "uuid">;
}
