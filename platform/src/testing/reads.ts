import { type Db, type Tx, transaction } from "../database/database.ts";

/** Rows read and index searches of `work`, which is undone. The pool must have one connection. */
export async function readBy(
	sql: Db,
	work: (sql: Tx) => Promise<unknown>,
): Promise<number> {
	const undo = new Error("undone");
	let read = 0;
	await transaction(sql, async (sql) => {
		const before = await readSoFar(sql);
		await work(sql);
		read = (await readSoFar(sql)) - before;
		throw undo;
	}).catch((error: unknown) => {
		if (error !== undo) throw error;
	});
	return read;
}

async function readSoFar(sql: Tx): Promise<number> {
	const [row] = await sql<[{ read: number }]>`
		select sum(seq_tup_read + idx_tup_fetch + idx_scan)::integer as read
		from pg_stat_xact_user_tables
		where schemaname = current_schema()
	`;
	return row.read;
}
