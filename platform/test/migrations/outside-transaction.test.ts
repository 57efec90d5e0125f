import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { migrate } from "../../src/database/migration/migrate.ts";
import {
	type MigrationSet,
	OUTSIDE_TRANSACTION,
} from "../../src/database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../../src/testing/database.ts";
import { eventually } from "../../src/testing/eventually.ts";

const PROGRAM = fileURLToPath(new URL("migrate-process.ts", import.meta.url));
const ROWS = 1_000;

const CONCURRENT_INDEX = `${OUTSIDE_TRANSACTION}
create index concurrently if not exists notes_by_text on notes (text);
`;
const BATCHES = `${OUTSIDE_TRANSACTION}

-- Each row once, a hundred at a time.
update notes
set changes = changes + 1
where id in (
	select id
	from notes
	where changes = 0
	order by id
	limit 100
);
`;

let database: TestDatabase;

/** A database of its own: an index that is built concurrently waits for all transactions of its database. */
beforeAll(async () => {
	database = await testDatabase([]);
});
afterAll(() => database.drop());

async function fillNotes(): Promise<void> {
	await database.sql`drop table if exists notes, migrations`;
	await database.sql`
		create table notes (
			id int primary key,
			text text not null default '',
			changes int not null default 0
		)
	`;
	await database.sql`insert into notes select generate_series(1, ${ROWS})`;
}

async function setWith(text: string): Promise<MigrationSet> {
	const dir = await mkdtemp(join(tmpdir(), "airtower-migrations-"));
	onTestFinished(() => rm(dir, { recursive: true }));
	await writeFile(join(dir, "0001_sample.sql"), text);
	return { name: "sample", dir: pathToFileURL(`${dir}/`) };
}

/** Applies the set in a process of its own. */
function spawnMigration({ dir }: MigrationSet) {
	const child = spawn(process.execPath, [PROGRAM, dir.href], {
		env: {
			...process.env,
			DATABASE_URL: database.url,
			DATABASE_SCHEMA: database.schema,
		},
		stdio: "ignore",
	});
	onTestFinished(() => void child.kill("SIGKILL"));
	return {
		kill: async () => {
			child.kill("SIGKILL");
			await once(child, "exit");
		},
	};
}

/** A transaction that has run the statement `work` and stays open until `end`. */
async function openTransaction(work: string) {
	const sql = await database.connect(1).reserve();
	await sql.unsafe("set transaction_timeout = 0");
	await sql.unsafe("set idle_in_transaction_session_timeout = 0");
	await sql.unsafe("begin isolation level repeatable read");
	await sql.unsafe(work);
	return {
		end: async () => {
			await sql.unsafe("rollback");
			sql.release();
		},
	};
}

/** The server's own process of the job, once it waits for a transaction of somebody else. */
function waitingBackend(): Promise<number> {
	return eventually(async () => {
		const [row] = await database.sql<{ pid: number }[]>`
			select pid
			from pg_stat_activity
			where application_name = 'notes-migrate'
			and wait_event_type = 'Lock'
		`;
		if (row === undefined) throw new Error("The job does not wait.");
		return row.pid;
	});
}

/** Ends the session, as the loss of the server would. */
async function endBackend(pid: number): Promise<void> {
	await database.sql`select pg_terminate_backend(${pid}, 30000)`;
}

async function isIndexValid(): Promise<boolean | undefined> {
	const [row] = await database.sql<{ isValid: boolean }[]>`
		select indisvalid as "isValid"
		from pg_index
		where indexrelid = to_regclass('notes_by_text')
	`;
	return row?.isValid;
}

test("an index whose build was killed is dropped and built again", async () => {
	await fillNotes();
	const set = await setWith(CONCURRENT_INDEX);
	const reader = await openTransaction("select from notes");
	const job = spawnMigration(set);
	const pid = await waitingBackend();
	await job.kill();
	await endBackend(pid);
	await reader.end();
	expect(await isIndexValid()).toBe(false);
	expect(await migrate(database.sql, [set])).toEqual([
		"sample/0001_sample.sql",
	]);
	expect(await isIndexValid()).toBe(true);
});

test("batches go on where a process was killed: every row is changed exactly once", async () => {
	await fillNotes();
	const set = await setWith(BATCHES);
	const writer = await openTransaction(
		"update notes set text = 'mine' where id = 250",
	);
	const job = spawnMigration(set);
	const pid = await waitingBackend();
	await job.kill();
	await endBackend(pid);
	await writer.end();
	const done = database.sql`select from notes where changes = 1`;
	expect((await done).count).toBe(200);
	await migrate(database.sql, [set]);
	const changed = await database.sql`select from notes where changes = 1`;
	expect(changed.count).toBe(ROWS);
	expect(await migrate(database.sql, [set])).toEqual([]);
});

test("an index is built while another process waits for it to be", async () => {
	await fillNotes();
	const set = await setWith(CONCURRENT_INDEX);
	const reader = await openTransaction("select from notes");
	const first = migrate(database.connect(1), [set]);
	await eventually(async () => expect(await isIndexValid()).toBe(false));
	const second = migrate(database.connect(1), [set]);
	await eventually(async () => {
		const [row] = await database.sql`
			select count(*)::int as count
			from pg_stat_activity
			where datname = current_database()
			and query like '%pg_try_advisory_lock%'
		`;
		expect(row?.count).toBeGreaterThanOrEqual(2);
	});
	await reader.end();
	expect([await first, await second]).toEqual([["sample/0001_sample.sql"], []]);
	expect(await isIndexValid()).toBe(true);
});

test("a migration that waits for a table lets others use it meanwhile, and is applied in the end", async () => {
	await fillNotes();
	const set = await setWith("alter table notes add column title text;");
	const reader = await openTransaction("select from notes");
	const migrated = migrate(database.connect(1), [set]);
	await eventually(async () => {
		const waiting = await database.sql`
			select
			from pg_locks
			where relation = 'notes'::regclass
			and not granted
		`;
		expect(waiting.count).toBeGreaterThan(0);
	});
	const others = database.connect(1);
	await others`set statement_timeout = 30000`;
	await others`set transaction_timeout = 0`;
	expect((await others`select from notes where id = 1`).count).toBe(1);
	await reader.end();
	expect(await migrated).toEqual(["sample/0001_sample.sql"]);
});
