import { type Db, transaction } from "./database.ts";

/** A result is good for this long: those who ask are many, and each probe is a commit, ms. */
const GOOD_FOR_MS = 500;
/** Rows that take 144 kB on disk when they may not stay in memory. */
const SPILLED_ROWS = 10_000;
/** Our own jobs lock a table for less: what waits for longer is an admin's session, ms. */
const LOCK_TIMEOUT_MS = 500;

/**
 * Tells whether the database can store something now: it responds, takes writes, has room on its disk, and nobody
 * keeps the tables locked.
 * @param tables what is accepted is written to them
 */
export function createStoreProbe(
	sql: Db,
	tables: readonly string[],
): () => Promise<boolean> {
	let latest: Promise<boolean> | undefined;
	let goodUntil = 0;
	return () => {
		if (latest !== undefined && performance.now() < goodUntil) return latest;
		goodUntil = Number.POSITIVE_INFINITY;
		latest = canStore(sql, tables).finally(() => {
			goodUntil = performance.now() + GOOD_FOR_MS;
		});
		return latest;
	};
}

async function canStore(db: Db, tables: readonly string[]): Promise<boolean> {
	try {
		return await transaction(db, async (sql) => {
			await sql.unsafe(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
			// As an insert locks it; of a partitioned table the parent alone, for a probe that costs little.
			for (const table of tables)
				await sql`lock table only ${sql(table)} in row exclusive mode`;
			await sql`set local work_mem = '64kB'`;
			await sql`select count(*) from generate_series(1, ${SPILLED_ROWS}::int4)`;
			// Written to the log and flushed with the commit, and to no table.
			const [row] = await sql<[{ isWritable: boolean }]>`
				select
					current_setting('transaction_read_only') = 'off' as "isWritable",
					pg_logical_emit_message(true, 'airtower', ${"probe"}::text)
			`;
			return row.isWritable;
		});
	} catch {
		return false;
	}
}
