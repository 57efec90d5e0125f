import { randomBytes } from "node:crypto";
import { createEventBus } from "@airtower/platform/events/create-event-bus";
import type { BusEvent, EventBus } from "@airtower/platform/events/event-bus";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import {
	adminUrl,
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { IdempotencySchema } from "@airtower/proto/common/v1/idempotency";
import { topics } from "@airtower/proto/rules/topics";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { create } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { afterEach, beforeEach, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import {
	type LedgerServer,
	startLedgerServer,
} from "./support/ledger-server.ts";
import {
	acceptedOf,
	type MessageInit,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { type MessagingProcess, startProcess } from "./support/process.ts";

const QUOTA = 1_000;
const COUNT = 60;
const WINDOW = 20;

let database: TestDatabase;
let accounts: LedgerServer;
let smsc: Smsc;
let bus: EventBus;
/** Of all services that use this bus, other tests' too. */
let events: BusEvent[];
let organization: string;
const started = new Set<MessagingProcess>();

beforeEach(async () => {
	database = await testDatabase(migrations);
	accounts = await startLedgerServer();
	smsc = await startSmsc({
		settings: { receiptDelayMs: 20, redeliverMs: 200 },
	});
	bus = await createEventBus({
		kind: "postgres",
		databaseUrl: adminUrl(),
		clientId: "test",
		log: silentLog,
		metrics: createMetrics("test"),
	});
	events = [];
	await bus.subscribe({
		group: database.schema,
		topics: [topics.messagingOutcome],
		ephemeral: true,
		onBatch: async (batch) => {
			events.push(...batch);
		},
	});
	const { ledger } = accounts;
	organization = await organizationWith({ sql: database.sql, ledger }, QUOTA);
});

afterEach(async () => {
	for (const one of started) one.signal("SIGKILL");
	await Promise.all([...started].map((one) => one.ended));
	started.clear();
	await bus.close();
	await smsc.close();
	await accounts.close();
	await database.drop();
});

async function start(faultPoints = ""): Promise<MessagingProcess> {
	const service = await startProcess(database, {
		FAULT_POINTS: faultPoints,
		ACCOUNTS_RPC_URL: accounts.url,
		SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?window=${WINDOW}&ids=hex`,
		DISPATCH_LEASE_MS: "1000",
		UNKNOWN_WAIT_S: "1",
	});
	started.add(service);
	return service;
}

function batchOf(count: number): MessageInit[] {
	return Array.from({ length: count }, (_, nth) =>
		messageTo(organization, {
			body: `message ${nth}`,
			idempotency: create(IdempotencySchema, {
				key: `key-${nth}`,
				fingerprint: randomBytes(32),
			}),
		}),
	);
}

/** Sends until there is a response, as a client does that knows its keys. */
async function sendTo(service: MessagingProcess, messages: MessageInit[]) {
	const { results } = await service.messaging.sendMessages({ messages });
	return results.map(acceptedOf);
}

type StoredMessage = { id: string; status: string; possibleDuplicate: boolean };

async function stored(): Promise<StoredMessage[]> {
	return database.sql<StoredMessage[]>`
		select id, status, possible_duplicate as "possibleDuplicate"
		from messages
		where organization_id = ${organization}
	`;
}

/** Every message reached the operator and its receipt reached the message; one event for each. */
async function expectAllDelivered(count: number): Promise<StoredMessage[]> {
	const rows = await eventually(async () => {
		const rows = await stored();
		expect(rows.filter((row) => row.status === "delivered")).toHaveLength(
			count,
		);
		return rows;
	});
	const ids = new Set(rows.map((row) => row.id));
	await eventually(() => {
		const own = events.filter((event) => ids.has(event.key));
		expect(new Set(own.map((event) => event.key)).size).toBe(count);
		expect(new Set(own.map((event) => event.id)).size).toBe(count);
	});
	const texts = smsc.log.entries.map((entry) => entry.text);
	expect(new Set(texts).size).toBe(count);
	return rows;
}

/** Once all are delivered: messages that are marked, and submits beyond one for each message. */
async function delivered() {
	const rows = await expectAllDelivered(COUNT);
	const duplicates = rows.filter((row) => row.possibleDuplicate).length;
	return { duplicates, extra: smsc.log.entries.length - COUNT };
}

test("killed before the commit, nothing is stored, and the repeated batch is stored once", async () => {
	const messages = batchOf(COUNT);
	const dying = await start("messaging.before_commit");
	await expect(sendTo(dying, messages)).rejects.toThrow();
	expect(await dying.ended).toBe("SIGKILL");
	expect(await stored()).toEqual([]);
	const orphans = new Set(accounts.ledger.reserved.keys());
	expect(orphans.size).toBe(COUNT);

	const next = await start();
	const responses = await sendTo(next, messages);
	expect(responses.filter((response) => response.replayed)).toEqual([]);
	await expectAllDelivered(COUNT);
	const { missingMessageIds } = await next.messaging.listMissingMessages({
		messageIds: [...accounts.ledger.reserved.keys()],
	});
	expect(new Set(missingMessageIds)).toEqual(orphans);
});

test("killed after the commit, the repeated batch gets its responses from the record and nothing is paid twice", async () => {
	const messages = batchOf(COUNT);
	const dying = await start("messaging.after_commit");
	await expect(sendTo(dying, messages)).rejects.toThrow();
	expect(await dying.ended).toBe("SIGKILL");

	const next = await start();
	const responses = await sendTo(next, messages);
	expect(responses.filter((response) => response.replayed)).toHaveLength(COUNT);
	const rows = await expectAllDelivered(COUNT);
	expect(new Set(responses.map((response) => response.messageId))).toEqual(
		new Set(rows.map((row) => row.id)),
	);
	expect(accounts.ledger.balances.get(organization)).toBe(QUOTA - COUNT);
});

test("killed after a message was canceled, the next process gives its quota back once", async () => {
	const dying = await start("messaging.after_cancel");
	const sendAt = timestampFromDate(new Date(Date.now() + 3_600_000));
	const [sent] = await sendTo(dying, [messageTo(organization, { sendAt })]);
	const asked = {
		organizationId: organization,
		messageId: sent?.messageId ?? "",
	};
	await expect(dying.messaging.cancelMessage(asked)).rejects.toThrow();
	expect(await dying.ended).toBe("SIGKILL");
	expect(accounts.ledger.balances.get(organization)).toBe(QUOTA - 1);

	const next = await start();
	const again = await next.messaging.cancelMessage(asked);
	expect(again.message?.status).toBe("canceled");
	await eventually(async () =>
		expect((await database.sql`select from quota_releases`).count).toBe(0),
	);
	expect(accounts.ledger.balances.get(organization)).toBe(QUOTA);
	await eventually(() =>
		expect(events.filter(({ key }) => key === asked.messageId)).toHaveLength(1),
	);
});

test("killed after a claim, at most one window is unknown, sent by the next process and marked", async () => {
	const dying = await start("messaging.after_claim:2");
	await sendTo(dying, batchOf(COUNT)).catch(() => {});
	expect(await dying.ended).toBe("SIGKILL");
	await start();
	const { duplicates, extra } = await delivered();
	expect(duplicates).toBeLessThanOrEqual(WINDOW);
	expect(extra).toBeLessThanOrEqual(duplicates);
});

test("killed after a submit, what had no response recorded is sent once more and marked", async () => {
	const dying = await start("messaging.after_submit:15");
	await sendTo(dying, batchOf(COUNT)).catch(() => {});
	expect(await dying.ended).toBe("SIGKILL");
	await start();
	const { duplicates, extra } = await delivered();
	expect(extra).toBeGreaterThan(0);
	expect(extra).toBeLessThanOrEqual(duplicates);
	expect(extra).toBeLessThanOrEqual(WINDOW);
});

test("killed after applying receipts and before acknowledging them, each outcome is published once", async () => {
	const dying = await start("messaging.after_receipts:2");
	await sendTo(dying, batchOf(COUNT)).catch(() => {});
	expect(await dying.ended).toBe("SIGKILL");
	await start();
	await expectAllDelivered(COUNT);
});

test("stopped for longer than its lease, a process finds its work taken over and nothing is sent unmarked twice", async () => {
	smsc.settings.answerDelayMs = 50;
	const first = await start();
	await sendTo(first, batchOf(COUNT));
	await eventually(() => {
		expect(smsc.log.entries.length).toBeGreaterThan(5);
	});
	first.signal("SIGSTOP");
	await start();
	// A transaction that was stopped half way holds its locks for up to 10 s.
	await eventually(async () => {
		const rows = await database.sql`select from dispatch`;
		expect(rows.count).toBe(0);
	});
	first.signal("SIGCONT");
	const { duplicates, extra } = await delivered();
	expect(extra).toBeLessThanOrEqual(duplicates);
});

test("asked to stop under load, a process ends by itself and leaves nothing half done", async () => {
	smsc.settings.answerDelayMs = 50;
	const first = await start();
	await sendTo(first, batchOf(COUNT));
	first.signal("SIGTERM");
	expect(await first.ended).toBe(0);
	const rows = await database.sql`
		select
		from dispatch
		where token is not null
		or unknown
	`;
	expect(rows.count).toBe(0);
	await start();
	await expectAllDelivered(COUNT);
	expect(smsc.log.entries).toHaveLength(COUNT);
});
