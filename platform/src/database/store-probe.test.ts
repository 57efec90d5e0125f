import { afterAll, beforeAll, expect, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { connectDatabase, type Db, transaction } from "./database.ts";
import { createStoreProbe } from "./store-probe.ts";

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([]);
});
afterAll(() => database.drop());

/** Asks a database that has other settings. */
async function probe(settings: Record<string, string>): Promise<boolean> {
	const url = new URL(database.url);
	for (const [name, value] of Object.entries(settings))
		url.searchParams.set(name, value);
	const { schema } = database;
	const sql: Db = connectDatabase({
		url: url.href,
		schema,
		poolSize: 1,
		applicationName: "probe",
	});
	try {
		return await createStoreProbe(sql, [])();
	} finally {
		await sql.end({ timeout: 1 });
	}
}

test("a database that can be written to can store", async () => {
	expect(await probe({})).toBe(true);
});

test.each([
	["read-only", { default_transaction_read_only: "on" }],
	["out of room on its disk", { temp_file_limit: "100" }],
])("a database that is %s cannot", async (_kind, settings) => {
	expect(await probe(settings)).toBe(false);
});

test("a database that is gone cannot", async () => {
	const sql = connectDatabase({
		url: "postgres://127.0.0.1:1/gone",
		schema: "gone",
		poolSize: 1,
		applicationName: "probe",
	});
	expect(await createStoreProbe(sql, [])()).toBe(false);
	await sql.end({ timeout: 1 });
});

test("those who ask together share one probe, and those who ask soon after its result", async () => {
	const sql = database.connect(1);
	const canStore = createStoreProbe(sql, []);
	const results = await Promise.all([canStore(), canStore(), canStore()]);
	await sql.end();
	expect([...results, await canStore()]).toEqual([true, true, true, true]);
	expect(await createStoreProbe(sql, [])()).toBe(false);
});

test("a table that somebody keeps locked against writes cannot be stored to, and then it can", async () => {
	const sql = database.connect(2);
	await sql`create table accepted (id int)`;
	const canStore = () => createStoreProbe(sql, ["accepted"])();
	expect(await canStore()).toBe(true);
	const whileLocked = await transaction(sql, async (tx) => {
		await tx`lock table accepted in share mode`;
		return canStore();
	});
	expect([whileLocked, await canStore()]).toEqual([false, true]);
	await sql.end();
});
