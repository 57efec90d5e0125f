import { createEventBus } from "@airtower/platform/events/create-event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { createMetrics } from "@airtower/platform/runtime/metrics";
import { adminUrl, testDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { topics } from "@airtower/proto/rules/topics";
import {
	type OriginatedText,
	shuffle,
	toDeliveries,
} from "@airtower/simulators/smsc/originated/originated-text";
import { startSmsc } from "@airtower/simulators/smsc/smsc";
import { expect, onTestFinished } from "vitest";
import { migrations } from "../../src/migrations.ts";
import { insertInboundNumber } from "../../src/store/inbound/inbound-numbers.ts";
import { startProcess } from "../support/process.ts";

const PHONES = 50;
const TO = "+33700000001";
const SEPTETS = "Ça, alors! {[€]} ";
const UCS2 = "Привет 🙂 ";

/** Of 1 to 10 parts, no two alike; every fifth comes twice. */
function textOf(nth: number): OriginatedText {
	const parts = 1 + (nth % 10);
	const isUcs2 = nth % 3 === 0;
	const unit = isUcs2 ? UCS2 : SEPTETS.replace("Ça", "Où");
	const perPart = isUcs2 ? 66 : 152;
	const least = parts === 1 ? 10 : perPart * (parts - 1) + 20;
	return {
		from: `+336123${String(10_000 + (nth % PHONES))}`,
		to: TO,
		text: `${nth} ${unit.repeat(Math.ceil(least / unit.length))}`.slice(
			0,
			least + 20,
		),
		dataCoding: isUcs2 ? 8 : 0,
		form: (["udh16", "sar"] as const)[nth % 2],
		reference: Math.floor(nth / PHONES),
		repeats: nth % 5 === 0 ? 1 : 0,
	};
}

/**
 * Sends so many texts in shuffled parts over two binds, with repetitions, to processes that are killed: each is stored
 * once, byte for byte, with one event.
 */
export async function receiveThroughKills(count: number): Promise<void> {
	const database = await testDatabase(migrations);
	onTestFinished(() => database.drop());
	const { sql } = database;
	const organizationId = uuidv7();
	const number = { number: TO, keyword: null, organizationId };
	await insertInboundNumber(sql, number);
	const bus = await createEventBus({
		kind: "postgres",
		databaseUrl: adminUrl(),
		clientId: "test",
		log: silentLog,
		metrics: createMetrics("test"),
	});
	onTestFinished(() => bus.close());
	const events = new Map<string, string>();
	await bus.subscribe({
		group: database.schema,
		topics: [topics.messagingEvent],
		ephemeral: true,
		onBatch: async (batch) => {
			for (const event of batch)
				if (event.organizationId === organizationId)
					events.set(event.id, event.key);
		},
	});
	const smsc = await startSmsc({ settings: { redeliverMs: 200 } });
	onTestFinished(() => smsc.close());
	const start = async (faultPoints = "") => {
		const one = await startProcess(database, {
			FAULT_POINTS: faultPoints,
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?binds=2`,
			DISPATCH_LEASE_MS: "1000",
		});
		onTestFinished(async () => {
			one.signal("SIGKILL");
			await one.ended;
		});
		return one;
	};
	// Killed between the commit and the response: the operator sends all of the batch again.
	const doomed = [
		await start("messaging.after_inbound:3"),
		await start("messaging.after_inbound:5"),
	];
	const texts = Array.from({ length: count }, (_, nth) => textOf(nth));
	smsc.deliver(shuffle(texts.flatMap(toDeliveries)));
	for (const one of doomed) {
		expect(await one.ended).toBe("SIGKILL");
		await start();
	}
	await eventually(() => expect(smsc.stats.messagesPending).toBe(0), {
		timeoutMs: 600_000,
	});
	const stored = await sql<{ id: string; sender: string; body: string }[]>`
		select id, sender, body from inbound_messages where is_complete
	`;
	const toLine = (sender: string, body = "") => `${sender} ${body}`;
	const lines = (all: readonly string[]) =>
		all.toSorted((a, b) => (a < b ? -1 : 1));
	expect(lines(stored.map(({ sender, body }) => toLine(sender, body)))).toEqual(
		lines(texts.map(({ from, text }) => toLine(from, text))),
	);
	expect(await sql`select from inbound_parts`).toHaveLength(0);
	expect(smsc.stats.messagesAgain).toBeGreaterThan(0);
	const ids = stored.map(({ id }) => id);
	await eventually(() => expect(events.size).toBe(count));
	expect(lines([...events.values()])).toEqual(lines(ids));
}
