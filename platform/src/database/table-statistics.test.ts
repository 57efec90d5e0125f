import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { readBy } from "../testing/reads.ts";
import { connectDatabase, type Db } from "./database.ts";
import { analyzeGrownTables } from "./table-statistics.ts";

const ROWS = 10_000;
const BATCH = 100;
/** Rows read and index searches for one row that is looked for. */
const MOST_PER_ROW = 3;

let database: TestDatabase;
/** As a service opens it: one session, whose plans are kept. */
let sql: Db;

beforeAll(async () => {
	database = await testDatabase([]);
});

afterAll(() => database.drop());

beforeEach(async () => {
	await database.sql.unsafe(`
		drop table if exists "Grown table";
		create table "Grown table" (id int primary key, value int) with (autovacuum_enabled = off);
	`);
	sql = connectDatabase({
		url: database.url,
		schema: database.schema,
		poolSize: 1,
		applicationName: "service",
		plansByIndex: true,
		plansOnce: true,
	});
	return () => sql.end();
});

function insert(first: number, last: number) {
	return database.sql`
		insert into "Grown table"
		select nth, nth from generate_series(${first}::int, ${last}::int) as nth
	`;
}

/** Rows read to find a batch of them. */
function readByBatch(): Promise<number> {
	const ids = Array.from({ length: BATCH }, (_, nth) => ROWS / 2 + nth);
	return readBy(
		sql,
		(sql) => sql`
			select value
			from unnest(${ids}::int[]) as wanted (id)
			join "Grown table" as grown on grown.id = wanted.id
		`,
	);
}

it("ends the plans that were made while a table held next to nothing", async () => {
	await insert(1, 1);
	await database.sql`analyze "Grown table"`;
	await readByBatch();
	await insert(2, ROWS);
	expect(await readByBatch()).toBeGreaterThan(BATCH * MOST_PER_ROW);
	expect(await analyzeGrownTables(sql)).toEqual(['"Grown table"']);
	expect(await readByBatch()).toBeLessThanOrEqual(BATCH * MOST_PER_ROW);
});

it("leaves a table alone that has not grown much, or not since it was counted", async () => {
	await insert(1, 300);
	expect(await analyzeGrownTables(sql)).toEqual([]);
	await insert(301, ROWS);
	expect(await analyzeGrownTables(sql)).toEqual(['"Grown table"']);
	await insert(ROWS + 1, 4 * ROWS);
	expect(await analyzeGrownTables(sql)).toEqual([]);
});

it("waits for nobody who is counting a table, and counts it later", async () => {
	await insert(1, ROWS);
	const service = sql;
	await database.sql.begin(async (sql) => {
		await sql`lock table "Grown table" in share update exclusive mode`;
		await analyzeGrownTables(service);
	});
	expect(await analyzeGrownTables(sql)).toEqual(['"Grown table"']);
	expect(await analyzeGrownTables(sql)).toEqual([]);
});
