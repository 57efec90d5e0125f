import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDatabase, transaction } from "../src/database/database.ts";
import { migrate } from "../src/database/migration/migrate.ts";
import { awaitMigrations } from "../src/database/migration/migrate-at-start.ts";
import { isUniqueViolation } from "../src/database/sql-errors.ts";
import { type TestDatabase, testDatabase } from "../src/testing/database.ts";
import { eventually } from "../src/testing/eventually.ts";
import { silentLog } from "../src/testing/log.ts";
import { startWire } from "../src/testing/wire.ts";

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([]);
	await database.sql`create table counters (id int primary key, value int8 not null)`;
	await database.sql`insert into counters values (1, 0), (2, 0)`;
});

const folders: string[] = [];

afterAll(async () => {
	await database.drop();
	for (const folder of folders) await rm(folder, { recursive: true });
});

test("two transactions that deadlock both succeed in the end", async () => {
	const { sql } = database;
	const bump = (first: number, second: number) =>
		transaction(sql, async (sql) => {
			await sql`update counters set value = value + 1 where id = ${first}`;
			await sql`select pg_sleep(0.05)`;
			await sql`update counters set value = value + 1 where id = ${second}`;
		});
	await Promise.all([bump(1, 2), bump(2, 1)]);
	const rows = await sql`select value from counters order by id`;
	expect(rows.map((row) => row.value)).toEqual([2, 2]);
});

test("the server ends a transaction that outlives its time", async () => {
	const sql = database.connect(1);
	await sql`set transaction_timeout = 100`;
	const late = transaction(sql, async (sql) => {
		await sql`update counters set value = -1 where id = 1`;
		await sql`select pg_sleep(2)`;
	});
	await expect(late).rejects.toThrow();
	const [row] = await database.sql`select value from counters where id = 1`;
	expect(row?.value).toBe(2);
});

test("a unique violation is told from other errors", async () => {
	const twice = database.sql`insert into counters values (1, 0)`;
	await expect(twice).rejects.toSatisfy((error) => isUniqueViolation(error));
});

async function migrationSet(files: Record<string, string>) {
	const dir = await mkdtemp(join(tmpdir(), "airtower-migrations-"));
	folders.push(dir);
	for (const [name, text] of Object.entries(files))
		await writeFile(join(dir, name), text);
	return { name: "sample", dir: pathToFileURL(`${dir}/`) };
}

test("migrations are applied once, also when several processes start together", async () => {
	const set = await migrationSet({
		"0001_first.sql": "create table first (id int);",
		"0002_second.sql":
			"create table second (id int); insert into second values (1);",
	});
	const applied = await Promise.all([
		migrate(database.connect(1), [set]),
		migrate(database.connect(1), [set]),
	]);
	expect(applied.flat().sort()).toEqual([
		"sample/0001_first.sql",
		"sample/0002_second.sql",
	]);
	expect(await migrate(database.sql, [set])).toEqual([]);
	expect((await database.sql`select * from second`).count).toBe(1);
});

test("a migration that was edited after it was applied stops the start", async () => {
	const edited = await migrationSet({ "0001_first.sql": "select 1;" });
	await expect(migrate(database.sql, [edited])).rejects.toThrow(/edited/);
});

test("a release that finds migrations of a newer one starts and applies nothing", async () => {
	const last = await migrationSet({
		"0001_memos.sql": "create table memos ();",
	});
	const next = await migrationSet({
		"0001_memos.sql": "create table memos ();",
		"0002_more.sql": "alter table memos add column text text;",
	});
	const named = { ...last, name: "memos" };
	await migrate(database.sql, [{ ...next, name: "memos" }]);
	expect(await migrate(database.sql, [named])).toEqual([]);
	await awaitMigrations(database.sql, [named], silentLog, 0);
});

test("a server that is too old is refused, and nothing is applied to it", async () => {
	const set = await migrationSet({
		"0001_third.sql": "create table third ();",
	});
	const sql = database.connect(1);
	// The server says what an older one would say: this function comes before its own.
	await sql`
		create function current_setting(text) returns text
		language sql
		return '17.6 (Debian 17.6-1)'
	`;
	await sql`set search_path = ${sql(database.schema)}, pg_catalog`;
	await expect(migrate(sql, [set])).rejects.toThrow(
		"PostgreSQL 17.6 (Debian 17.6-1) is too old; Airtower needs PostgreSQL 18 or newer.",
	);
	await database.sql`drop function ${database.sql(database.schema)}.current_setting(text)`;
	expect(await migrate(database.sql, [set])).toEqual(["sample/0001_third.sql"]);
});

const SILENCE_TIMEOUT_MS = 1_500;
/** Longer than the silence after which a connection is cut, ms. */
const LONG_MS = 2_500;

/** A pool over a wire, all or so many of whose connections are open. */
async function openOverWire(poolSize: number, open = poolSize) {
	const url = new URL(database.url);
	const wire = await startWire(Number(url.port));
	url.port = String(wire.port);
	const sql = connectDatabase({
		url: url.href,
		schema: database.schema,
		poolSize,
		applicationName: database.schema,
		silenceTimeoutMs: SILENCE_TIMEOUT_MS,
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	await Promise.all(
		Array.from({ length: open }, () => sql`select pg_sleep(0.1)`),
	);
	return { wire, sql };
}

test("a query fails whose connection goes silent, and the next ones go over a new connection", async () => {
	const { wire, sql } = await openOverWire(3);
	wire.muteOpenConnections();
	const [lost] = await Promise.allSettled([sql`select 1`]);
	expect(lost).toMatchObject({ reason: { code: "CONNECTION_CLOSED" } });
	await eventually(async () =>
		expect(await sql`select 2 as value`).toEqual([{ value: 2 }]),
	);
});

test("no query and no transaction hangs behind connections that go silent", async () => {
	const { wire, sql } = await openOverWire(3);
	wire.muteOpenConnections();
	const crowd = await Promise.allSettled([
		...Array.from({ length: 10 }, () => sql`select 3`),
		transaction(sql, (sql) => sql`select 4`),
	]);
	expect(crowd.map(({ status }) => status)).toContain("rejected");
	await eventually(async () =>
		expect(await sql`select 5 as value`).toEqual([{ value: 5 }]),
	);
});

test("with a connection that goes silent those are left that still respond: another server may have its place", async () => {
	const { wire, sql } = await openOverWire(2, 1);
	wire.muteOpenConnections();
	let isLost = false as boolean;
	const onLost = () => {
		isLost = true;
		return [];
	};
	const silent = sql`select 1`.catch(onLost);
	const session = () => sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
	const before = new Set<number>();
	while (!isLost)
		for (const { pid } of await session().catch(onLost)) before.add(pid);
	await silent;
	await eventually(
		async () => {
			const [now] = await session();
			expect(now?.pid).toBeTypeOf("number");
			expect(before).not.toContain(now?.pid);
		},
		{ timeoutMs: 30_000 },
	);
});

test("a migration may be silent for as long as it takes", async () => {
	const { sql } = await openOverWire(1);
	const set = await migrationSet({
		"0001_slow.sql": `select pg_sleep(${LONG_MS / 1_000});`,
	});
	expect(await migrate(sql, [set])).toEqual(["sample/0001_slow.sql"]);
});

test("queries survive backends that are terminated under load: none hangs, none gets another's response", async () => {
	const sql = database.connect(5);
	const stop = Date.now() + 2_000;
	const enough = 100;
	let responses = 0;
	const settle = async (value: number) => {
		const [plain, held] = await Promise.allSettled([
			sql`select ${value}::int as value`,
			sql.begin((sql) => sql`select ${value}::int as value, pg_sleep(0.002)`),
		]);
		for (const result of [plain, held]) {
			if (result.status === "rejected") continue;
			expect(result.value[0]?.value).toBe(value);
			responses++;
		}
	};
	const worker = async (first: number) => {
		for (
			let value = first;
			Date.now() < stop || responses < enough;
			value += 100
		)
			await settle(value);
	};
	const killer = setInterval(() => {
		void database.sql`
			select pg_terminate_backend(pid)
			from pg_stat_activity
			where application_name = ${database.schema}
			and pid <> pg_backend_pid()
		`.catch(() => {});
	}, 50);
	await Promise.all(Array.from({ length: 20 }, (_, index) => worker(index)));
	clearInterval(killer);
	expect(responses).toBeGreaterThanOrEqual(enough);
});
