import { expect, test } from "vitest";
import { connectDatabase, type Db, type Tx } from "../database/database.ts";
import type { TestDatabase } from "./database.ts";
import { readBy } from "./reads.ts";

/** Statements on a batch, by name. */
export type Statements = Readonly<
	Record<string, (sql: Tx) => Promise<unknown>>
>;

/**
 * One session as a service opens it, which keeps the first plan that it makes of each statement: tests make it
 * while the tables hold few rows, and then fill them.
 */
export async function openPlanKeeper({
	url,
	schema,
}: Pick<TestDatabase, "url" | "schema">): Promise<Db> {
	const sql = connectDatabase({
		url,
		schema,
		poolSize: 1,
		applicationName: "plans",
		plansByIndex: true,
	});
	await sql`set plan_cache_mode = force_generic_plan`;
	await stopAutovacuum(sql);
	return sql;
}

/** Keeps the server from counting the tables of the schema at a moment of its own. */
export async function stopAutovacuum(sql: Db): Promise<void> {
	const tables = await sql<{ name: string }[]>`
		select oid::regclass::text as name
		from pg_class
		where relnamespace = current_schema()::regnamespace
		and relkind = 'r'
	`;
	for (const { name } of tables)
		await sql.unsafe(`alter table ${name} set (autovacuum_enabled = off)`);
}

/** Has every statement planned now; what it does is undone. */
export async function planAll(sql: Db, statements: Statements): Promise<void> {
	for (const run of Object.values(statements)) await readBy(sql, run);
}

/** Declares a test for each statement: that it reads, in rows and index searches, within these bounds. */
export function testReads(
	statements: Statements,
	session: () => Db,
	bounds: { readonly least: number; readonly most: number },
): void {
	test.each(Object.entries(statements))(
		"%s reads no more than its batch",
		async (_name, run) => {
			const read = await readBy(session(), run);
			expect(read).toBeGreaterThanOrEqual(bounds.least);
			expect(read).toBeLessThanOrEqual(bounds.most);
		},
	);
}
