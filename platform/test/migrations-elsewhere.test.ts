import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db } from "../src/database/database.ts";
import { awaitMigrations } from "../src/database/migration/migrate-at-start.ts";
import { migrateOnce } from "../src/database/migration/migration-job.ts";
import { platformMigrations } from "../src/database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../src/testing/database.ts";
import { silentLog } from "../src/testing/log.ts";

const SETS = [platformMigrations.inbox, platformMigrations.outbox];

let owner: TestDatabase;
let role: string;

beforeAll(async () => {
	owner = await testDatabase([]);
	role = `${owner.schema}_service`;
	await owner.sql.unsafe(`create role ${role} login`);
});

afterAll(async () => {
	await owner.sql.unsafe(`drop owned by ${role}; drop role ${role}`);
	await owner.drop();
});

function migrate(schema = owner.schema): Promise<void> {
	return migrateOnce("notes", SETS, {
		DATABASE_URL: owner.url,
		DATABASE_SCHEMA: schema,
		SERVICE_ROLE: role,
		LOG_LEVEL: "fatal",
	});
}

function connectAsService(): Db {
	const sql = connectDatabase({
		url: owner.url,
		schema: owner.schema,
		poolSize: 1,
		applicationName: role,
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	return sql;
}

test("a service waits for the job, and names the migration that is missing", async () => {
	const early = awaitMigrations(owner.sql, SETS, silentLog, 0);
	await expect(early).rejects.toThrow(/^Migration inbox\/0001.* not applied; /);
	const started = awaitMigrations(owner.sql, SETS, silentLog);
	await migrate();
	await started;
	await migrate();
});

test("a role that does not own the tables reads and writes them, and changes none", async () => {
	await migrate();
	const sql = connectAsService();
	await sql.unsafe(`set role ${role}`);
	await awaitMigrations(sql, SETS, silentLog, 0);
	expect(await sql`select from inbox`).toEqual([]);
	expect(await sql`delete from outbox`).toEqual([]);
	await expect(sql`drop table inbox`).rejects.toThrow(/must be owner/);
	await expect(sql`create table mine ()`).rejects.toThrow(/permission denied/);
	await expect(sql`truncate inbox`).rejects.toThrow(/permission denied/);
});

test("a schema that is not there is one sentence", async () => {
	await expect(migrate("nobody")).rejects.toThrow(/schema does not exist/);
});
