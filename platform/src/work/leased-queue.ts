import type postgres from "postgres";
import type { Queryable, Tx } from "../database/database.ts";
import { type Columns, unnest } from "../database/unnest.ts";

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

export function uuids<K extends string>(key: Readonly<Record<K, string>>) {
	const columns = Object.keys(key).map((name) => [name, "uuid"]);
	return Object.fromEntries(columns) as Record<K, "uuid">;
}
