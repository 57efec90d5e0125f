import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import {
	type LedgerServer,
	startLedgerServer,
} from "./support/ledger-server.ts";
import { messageTo, organizationWith } from "./support/messaging.ts";
import { type MessagingProcess, startProcess } from "./support/process.ts";
import { callSend } from "./support/service.ts";

const COUNT = 60;
const WINDOW = 5;
/** Long enough that a window is in flight whenever the signal comes. */
const RESPONSE_MS = 300;
const LONGEST_STOP_MS = 30_000;

let database: TestDatabase;
let accounts: LedgerServer;
let smsc: Smsc;
let organization: string;
const started = new Set<MessagingProcess>();

beforeEach(async () => {
	database = await testDatabase(migrations);
	accounts = await startLedgerServer();
	smsc = await startSmsc({ settings: { answerDelayMs: RESPONSE_MS } });
	const { ledger } = accounts;
	organization = await organizationWith({ sql: database.sql, ledger }, 1_000);
});

afterEach(async () => {
	for (const one of started) one.signal("SIGKILL");
	await Promise.all([...started].map((one) => one.ended));
	started.clear();
	await smsc.close();
	await accounts.close();
	await database.drop();
});

async function start(): Promise<MessagingProcess> {
	const service = await startProcess(database, {
		ACCOUNTS_RPC_URL: accounts.url,
		SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?window=${WINDOW}`,
		DRAIN_WAIT_S: "1",
	});
	started.add(service);
	return service;
}

test("on SIGTERM nothing more is submitted, what is in flight is responded to and settled, the bind is unbound, and calls are served on", async () => {
	const first = await start();
	const messages = Array.from({ length: COUNT }, (_, nth) =>
		messageTo(organization, { body: `message ${nth}` }),
	);
	await first.messaging.sendMessages({ messages });
	await eventually(() => expect(smsc.log.total).toBeGreaterThan(2 * WINDOW), {
		everyMs: 5,
	});

	const signalledAt = performance.now();
	first.signal("SIGTERM");
	await eventually(() => expect(smsc.stats.unbinds).toBe(1), { everyMs: 5 });
	const submitted = smsc.log.total;
	const late = await callSend(first, organization, { body: "late" });
	expect(await first.ended).toBe(0);
	expect(performance.now() - signalledAt).toBeLessThan(LONGEST_STOP_MS);

	expect(smsc.log.total).toBe(submitted);
	expect(submitted).toBeLessThan(COUNT);
	expect(smsc.stats.sessions).toBe(0);
	const waiting = await database.sql`select token from dispatch`;
	expect(waiting.map(({ token }) => token)).toEqual(
		Array.from({ length: COUNT + 1 - submitted }, () => null),
	);

	await start();
	await eventually(async () => {
		const [row] =
			await database.sql`select status from messages where id = ${late}`;
		expect(row?.status).toBe("delivered");
		expect(await database.sql`select 1 from dispatch`).toHaveLength(0);
	});
	const texts = smsc.log.entries.map(({ text }) => text);
	expect(new Set(texts).size).toBe(COUNT + 1);
	expect(texts).toHaveLength(COUNT + 1);
});
