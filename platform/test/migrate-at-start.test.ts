import { once } from "node:events";
import { type AddressInfo, connect, createServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { connectDatabase, type Db } from "../src/database/database.ts";
import { migrateAtStart } from "../src/database/migration/migrate-at-start.ts";
import { platformMigrations } from "../src/database/migration/migration-set.ts";
import { ConfigError } from "../src/runtime/config.ts";
import { type TestDatabase, testDatabase } from "../src/testing/database.ts";
import { silentLog } from "../src/testing/log.ts";

const SETS = [platformMigrations.inbox];

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([]);
});

afterAll(() => database.drop());

async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}

/** From now on the port leads to the tests' PostgreSQL. */
async function openPort(port: number): Promise<void> {
	const server = createServer((near) => {
		const far = connect(Number(new URL(database.url).port), "127.0.0.1");
		for (const socket of [near, far]) socket.on("error", () => undefined);
		near.pipe(far).pipe(near);
	});
	server.listen(port, "127.0.0.1");
	await once(server, "listening");
	onTestFinished(() => void server.close());
}

function connectAt(port: number, schema = database.schema): Db {
	const url = new URL(database.url);
	url.port = String(port);
	url.searchParams.delete("host");
	const sql = connectDatabase({
		url: url.href,
		schema,
		poolSize: 1,
		applicationName: database.schema,
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	return sql;
}

test("a service that starts before its database waits for it", async () => {
	const port = await freePort();
	const started = migrateAtStart(connectAt(port), SETS, silentLog);
	const early = await Promise.race([started, delay(500, "waiting")]);
	expect(early).toBe("waiting");
	await openPort(port);
	await started;
	expect(await database.sql`select from inbox`).toEqual([]);
});

test("a database that stays away is one sentence that names the setting", async () => {
	const sql = connectAt(await freePort());
	const start = migrateAtStart(sql, SETS, silentLog, 0);
	await expect(start).rejects.toThrow(ConfigError);
	await expect(start).rejects.toThrow(
		/^The database of DATABASE_URL cannot be reached \(connect ECONNREFUSED .*\); start it, or correct the setting\.$/,
	);
});

test("a database that lets nobody in by this password is waited for as one that is away, and is one sentence", async () => {
	const url = new URL(database.url);
	url.searchParams.delete("host");
	url.password = "replaced";
	const sql = connectDatabase({
		url: url.href,
		schema: database.schema,
		poolSize: 1,
		applicationName: database.schema,
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	const start = migrateAtStart(sql, SETS, silentLog, 0);
	await expect(start).rejects.toThrow(ConfigError);
	await expect(start).rejects.toThrow(
		/^The database of DATABASE_URL cannot be reached \(password authentication failed .*correct the setting\.$/,
	);
});

test("what no waiting mends ends the start at once", async () => {
	const port = Number(new URL(database.url).port);
	const start = migrateAtStart(connectAt(port, "nobody"), SETS, silentLog);
	await expect(start).rejects.toThrow(/schema does not exist/);
	await expect(start).rejects.toThrow(ConfigError);
});
