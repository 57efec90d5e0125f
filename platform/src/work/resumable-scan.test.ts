import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, onTestFinished, test } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { advanceScan } from "./resumable-scan.ts";
import { numbersScan } from "./testing/numbers-scan.ts";

const DYING = fileURLToPath(
	new URL("testing/dying-scanner.ts", import.meta.url),
);
/** Five pages. */
const NUMBERS = Array.from({ length: 50 }, (_, nth) => nth + 1);

let database: TestDatabase;

beforeEach(async () => {
	database = await testDatabase([platformMigrations.scans]);
	const { sql } = database;
	await sql`create table numbers (number integer primary key)`;
	await sql`insert into numbers select generate_series(1, 50)`;
	await sql`create table worked (number integer)`;
});
afterEach(() => database.drop());

/** The numbers that were worked on, one as often as it was. */
async function workedNumbers(): Promise<number[]> {
	const rows = await database.sql<{ number: number }[]>`
		select number
		from worked
		order by number
	`;
	return rows.map(({ number }) => number);
}

/** Goes to the end; returns how many pages this process worked on. */
async function scanAll(): Promise<number> {
	let pages = 0;
	while (
		(await advanceScan(database.sql, numbersScan(database.sql))) !== undefined
	)
		pages++;
	return pages;
}

test("a scan works on every row once, and on new rows when they are there", async () => {
	expect(await scanAll()).toBe(5);
	expect(await scanAll()).toBe(0);
	expect(await workedNumbers()).toEqual(NUMBERS);
	await database.sql`insert into numbers values (51)`;
	expect(await scanAll()).toBe(1);
	expect(await workedNumbers()).toEqual([...NUMBERS, 51]);
});

test("killed within a page, a scan is taken up by another process, and no row is left out or worked on twice", async () => {
	const { url, schema } = database;
	const dying = spawn(process.execPath, [DYING, url, schema], {
		stdio: "inherit",
	});
	onTestFinished(() => void dying.kill("SIGKILL"));
	expect((await once(dying, "exit"))[1]).toBe("SIGKILL");
	expect(await workedNumbers()).toEqual(NUMBERS.slice(0, 20));
	// The server may still be about to notice that the connection of the dead one is gone.
	await eventually(async () => {
		await scanAll();
		expect(await workedNumbers()).toEqual(NUMBERS);
	});
});

test("of two processes that found the same page one works on it; the other does nothing and waits for nobody", async () => {
	const { sql } = database;
	const scan = numbersScan(sql);
	const working = Promise.withResolvers<void>();
	const commit = Promise.withResolvers<void>();
	const first = advanceScan(sql, {
		...scan,
		work: async (sql, page) => {
			await scan.work(sql, page);
			// However long a busy machine takes until the other has come.
			await sql`set local transaction_timeout = 0`;
			await sql`set local idle_in_transaction_session_timeout = 0`;
			working.resolve();
			await commit.promise;
		},
	});
	await working.promise;
	expect(await advanceScan(sql, scan)).toBeUndefined();
	commit.resolve();
	expect((await first)?.page.end).toBe("10");
	expect(await scanAll()).toBe(4);
	expect(await workedNumbers()).toEqual(NUMBERS);
});

test("a process that stood still since it found its page does nothing, and moves the scan not back", async () => {
	const { sql } = database;
	const scan = numbersScan(sql);
	const step = await advanceScan(sql, {
		...scan,
		findPage: async (after) => {
			const page = await scan.findPage(after);
			await scanAll();
			return page;
		},
	});
	expect(step).toBeUndefined();
	expect(await scanAll()).toBe(0);
	expect(await workedNumbers()).toEqual(NUMBERS);
});

test("a page whose work fails stays ahead of the scan", async () => {
	const { sql } = database;
	const failing = {
		...numbersScan(sql),
		work: () => Promise.reject(new Error("no")),
	};
	await expect(advanceScan(sql, failing)).rejects.toThrow("no");
	expect(await scanAll()).toBe(5);
	expect(await workedNumbers()).toEqual(NUMBERS);
});

test("a scan whose position is deleted begins at the beginning; other scans stay where they are", async () => {
	const { sql } = database;
	const other = { ...numbersScan(sql), name: "other" };
	await advanceScan(sql, other);
	await scanAll();
	await sql`delete from scan_positions where name = 'numbers'`;
	expect(await scanAll()).toBe(5);
	expect((await advanceScan(sql, other))?.page.end).toBe("20");
});
