import postgres from "postgres";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { eventually } from "../testing/eventually.ts";
import { startWire } from "../testing/wire.ts";
import { connectDatabase, type Db } from "./database.ts";
import { listen } from "./listen.ts";

const SILENCE_TIMEOUT_MS = 2_000;

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase([]);
});

afterAll(() => database.drop());

function openPool(url = database.url): Db {
	const sql = connectDatabase({
		url,
		schema: database.schema,
		poolSize: 1,
		applicationName: database.schema,
		silenceTimeoutMs: SILENCE_TIMEOUT_MS,
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	return sql;
}

/** Listens over the pool; what was heard, and how often it began to listen. */
async function startListening(sql: Db) {
	const heard: string[] = [];
	let begun = 0;
	const end = await listen(
		sql,
		"work",
		(payload) => heard.push(payload),
		() => begun++,
	);
	onTestFinished(end);
	return { heard, begun: () => begun };
}

test("a connection that hears nothing any more, as one to a server of before a failover, is made anew", async () => {
	const url = new URL(database.url);
	const wire = await startWire(Number(url.port));
	url.port = String(wire.port);
	const { heard, begun } = await startListening(openPool(url.href));
	wire.muteOpenConnections();
	await eventually(() => expect(begun()).toBeGreaterThan(1));
	await database.sql.notify("work", "after");
	await eventually(() => expect(heard).toEqual(["after"]));
});

test("a channel on which nothing happens is notified all the same, which nobody takes for work", async () => {
	const { heard } = await startListening(openPool());
	const raw: string[] = [];
	const other = postgres(database.url, { max: 1 });
	onTestFinished(() => other.end({ timeout: 1 }));
	await other.listen("work", (payload) => raw.push(payload));
	await eventually(() => expect(raw.length).toBeGreaterThan(1));
	await database.sql.notify("work", "last");
	await eventually(() => expect(heard).toEqual(["last"]));
});
