import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Db, Tx } from "../database/database.ts";
import type { MigrationSet } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "./database.ts";
import { readBy } from "./reads.ts";

export type Statements = Readonly<
	Record<string, (sql: Tx) => Promise<unknown>>
>;

interface StatementTests {
	readonly migrations: readonly MigrationSet[];
	readonly fill: (sql: Db, first: number, last: number) => Promise<void>;
	readonly statements: Statements;
	/** Tables that are empty at most times. */
	readonly queues: readonly string[];
	/** Most rows read and index searches of one statement; far below {@link MANY}. */
	readonly mostReads: number;
}

export const MANY = 100_000;
/** Of a queue that keeps up. */
const QUIET_ROWS = 30;

/** The server may keep a statement's plan from its sixth execution on. */
const UNTIL_PLAN_IS_KEPT = 6;

/** A statement prepared while its tables had one row reads no more than its batch once they have {@link MANY}. */
export function testStatements({
	migrations,
	fill,
	statements,
	queues,
	mostReads,
}: StatementTests): void {
	describe("statements prepared on a table of one row, run on 100,000", () => {
		let database: TestDatabase;
		let sql: Db;

		beforeAll(async () => {
			database = await testDatabase(migrations);
			sql = database.connect(1);
			const tables = await findTables(sql);
			for (const table of tables)
				await sql`alter table ${sql(table)} set (autovacuum_enabled = off)`;
			await leaveOutOfLog(sql);
			const filling = await toFill(database.connect(1));
			await fill(filling, 1, 1);
			await count(sql);
			for (let round = 0; round < UNTIL_PLAN_IS_KEPT; round++)
				for (const run of Object.values(statements)) await readBy(sql, run);
			await fill(filling, 2, MANY);
		});

		afterAll(() => database.drop());

		const readNoMore = async (_name: string, run: Statements[string]) => {
			expect(await readBy(sql, run)).toBeLessThanOrEqual(mostReads);
		};

		test.each(Object.entries(statements))("%s", readNoMore);

		const states = {
			"that the server has counted": count,
			"that the server has counted, queues at a quiet moment": (sql: Db) =>
				countQuietQueues(sql, queues),
			"that the server has counted, queues never": (sql: Db) =>
				forgetCount(sql, queues),
		};
		describe.each(Object.entries(states))("%s", (_state, bring) => {
			beforeAll(() => bring(sql));

			test.each(Object.entries(statements))("%s", readNoMore);
		});
	});
}

/** To fill tables that no log has takes three fifths of the time. Each goes after those that refer to it. */
async function leaveOutOfLog(sql: Db): Promise<void> {
	await sql.unsafe(`
		do $$
		declare
			next regclass;
		begin
			loop
				select oid into next
				from pg_class
				where relnamespace = current_schema()::regnamespace
				and relkind = 'r'
				and relpersistence = 'p'
				and not exists (
					select
					from pg_constraint
					join pg_class as other on other.oid = conrelid
					where confrelid = pg_class.oid
					and conrelid <> confrelid
					and other.relpersistence = 'p'
				)
				limit 1;
				exit when next is null;
				execute format('alter table %s set unlogged', next);
			end loop;
		end
		$$
	`);
}

/** To fill the tables is not what is tried: it may take long, and looks no foreign key up. */
async function toFill(sql: Db): Promise<Db> {
	await sql.unsafe(`
		set statement_timeout = 0;
		set transaction_timeout = 0;
		set session_replication_role = replica;
	`);
	return sql;
}

/** Of this schema alone: other test files have theirs in the same database. */
async function count(sql: Db): Promise<void> {
	for (const table of await findTables(sql)) await sql`analyze ${sql(table)}`;
}

/** As before the first `analyze`, which may be a minute away. */
async function forgetCount(sql: Db, tables: readonly string[]): Promise<void> {
	for (const table of tables) {
		await sql`select pg_clear_relation_stats(current_schema()::text, ${table})`;
		await sql`
			select pg_clear_attribute_stats(current_schema()::text, ${table}, attname::text, false)
			from pg_attribute
			where attrelid = ${table}::regclass
			and attnum > 0
			and not attisdropped
		`;
	}
}

/** As autovacuum counts a queue at a quiet moment: its pages are there, its rows are not. */
async function countQuietQueues(
	sql: Db,
	queues: readonly string[],
): Promise<void> {
	await count(sql);
	for (const table of queues)
		await sql`
			select pg_restore_relation_stats(
				'schemaname', current_schema()::text,
				'relname', ${table}::text,
				'relpages', (pg_relation_size(${table}::regclass) / 8192)::integer,
				'reltuples', ${QUIET_ROWS}::real
			)
		`;
}

async function findTables(sql: Db): Promise<string[]> {
	const tables = await sql<{ name: string }[]>`
		select relname as name
		from pg_class
		where relnamespace = current_schema()::regnamespace
		and relkind = 'r'
	`;
	return tables.map(({ name }) => name);
}

/** The id of the n-th row. */
export function idOf(nth: number): string {
	return `00000000-0000-7000-8000-${nth.toString().padStart(12, "0")}`;
}
