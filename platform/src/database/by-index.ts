import type postgres from "postgres";
import { type Queryable, type Tx, transaction } from "./database.ts";

/**
 * Runs a statement so that the server goes by an index in the index's order, however short it takes the table to be: a
 * queue that was counted at a quiet moment, or never, looks so short that all of it is read and sorted for its first
 * rows. For statements that read the front of a queue; ARCHITECTURE, section 8.
 */
export function byIndex<T extends readonly postgres.MaybeRow[]>(
	sql: Queryable,
	toQuery: (sql: Tx) => postgres.PendingQuery<T>,
): Promise<T> {
	return "savepoint" in sql
		? readByIndex(sql, toQuery(sql))
		: transaction(sql, (sql) => readByIndex(sql, toQuery(sql)));
}

/** One round trip: all three are sent before the first has returned. */
async function readByIndex<T extends readonly postgres.MaybeRow[]>(
	sql: Tx,
	query: postgres.PendingQuery<T>,
): Promise<T> {
	const [, rows] = await Promise.all([
		allowWholeTables(sql, "off").execute(),
		query.execute(),
		allowWholeTables(sql, "on").execute(),
	]);
	return rows;
}

/** Holds until the transaction ends. */
function allowWholeTables(sql: Tx, value: "on" | "off") {
	return sql`
		select
			set_config('enable_seqscan', ${value}, true),
			set_config('enable_bitmapscan', ${value}, true)
	`;
}
