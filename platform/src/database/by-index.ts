import type postgres from "postgres";
import { type Queryable, type Tx, transaction } from "./database.ts";

/**
 * Runs a statement so that the server goes by an index in the index's order, however short it takes the table to be: a
 * queue that was counted at a quiet moment, or never, looks so short that all of it is read and sorted for its first
 * rows. For statements that read the front of a queue; ARCHITECTURE, section 8.
 * @param options.maySort false where another index of the table would do, and all that it finds would then be sorted
 */
export function byIndex<T extends readonly postgres.MaybeRow[]>(
	sql: Queryable,
	toQuery: (sql: Tx) => postgres.PendingQuery<T>,
	{ maySort = true } = {},
): Promise<T> {
	return "savepoint" in sql
		? readByIndex(sql, toQuery(sql), maySort)
		: transaction(sql, (sql) => readByIndex(sql, toQuery(sql), maySort));
}

/** One round trip: all three are sent before the first has returned. */
async function readByIndex<T extends readonly postgres.MaybeRow[]>(
	sql: Tx,
	query: postgres.PendingQuery<T>,
	maySort: boolean,
): Promise<T> {
	const [, rows] = await Promise.all([
		allowWholeTables(sql, "off", maySort ? "on" : "off").execute(),
		query.execute(),
		allowWholeTables(sql, "on", "on").execute(),
	]);
	return rows;
}

type Switch = "on" | "off";

/** Holds until the transaction ends. */
function allowWholeTables(sql: Tx, value: Switch, sorting: Switch) {
	return sql`
		select
			set_config('enable_seqscan', ${value}, true),
			set_config('enable_bitmapscan', ${value}, true),
			set_config('enable_sort', ${sorting}, true)
	`;
}
