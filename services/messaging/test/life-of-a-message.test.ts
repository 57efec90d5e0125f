import { setTimeout as delay } from "node:timers/promises";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { type Smsc, startSmsc } from "@airtower/simulators/smsc/smsc";
import { fromBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	acceptedOf,
	messageTo,
	organizationWith,
} from "./support/messaging.ts";
import { messageRow } from "./support/rows.ts";
import { startTestService, type TestService } from "./support/service.ts";

/** Fits the behaving numbers of the simulator, with their delays shortened. */
const TIME_FACTOR = 0.2;
/** Wait for a receipt before a message without a response goes again, ms. */
const UNKNOWN_WAIT_S = 2;
const LONG_TEXT = "x".repeat(400);

let smsc: Smsc;
let service: TestService;
let organization: string;
const events: BusEvent[] = [];

beforeAll(async () => {
	smsc = await startSmsc({
		// Responses and receipts write the same id differently, as operators do.
		settings: {
			answerIds: "hex",
			receiptIds: "dec",
			receiptDelayMs: 20,
			timeFactor: TIME_FACTOR,
		},
	});
	service = await startTestService({
		realOperator: true,
		env: {
			SMPP_ROUTE_URL: `smpp://airtower:airtower@127.0.0.1:${smsc.port}?window=20&ids=hex-dec&timeout=1&code=main`,
			UNKNOWN_WAIT_S: String(UNKNOWN_WAIT_S),
		},
	});
	await service.events.bus.subscribe({
		group: "test",
		topics: [topics.messagingOutcome],
		onBatch: async (batch) => {
			events.push(...batch);
		},
	});
	organization = await organizationWith(service, 1_000_000);
});

afterAll(async () => {
	await service.close();
	await smsc.close();
});

async function send(number: string, body = `to ${number}`): Promise<string> {
	const { results } = await service.messaging.sendMessages({
		messages: [messageTo(organization, { to: `+3361234${number}`, body })],
	});
	return acceptedOf(results[0]).messageId;
}

function outcomesOf(messageId: string) {
	return events
		.filter((event) => event.key === messageId)
		.map((event) => fromBinary(MessageOutcomeSchema, event.payload))
		.map(({ status, errorCode }) => errorCode || status);
}

function submitsTo(number: string): number {
	return smsc.log.entries.filter(({ destination }) =>
		destination.endsWith(number),
	).length;
}

test.each([
	["0001", "delivered after a while", "hello", "delivered", "delivered"],
	["0002", "undeliverable", "hello", "failed", "undeliverable"],
	["0003", "rejected at submit", "hello", "failed", "rejected"],
	["0004", "expired", "hello", "failed", "expired"],
	["0005", "throttled twice", "hello", "delivered", "delivered"],
	["0007", "receipt before the response", "hello", "delivered", "delivered"],
	["0008", "receipt twice", "hello", "delivered", "delivered"],
	["0009", "ordinary", LONG_TEXT, "delivered", "delivered"],
	["0011", "one part fails", LONG_TEXT, "failed", "undeliverable"],
])(
	"number %s (%s): the message ends with one event",
	async (number, _, body, status, outcome) => {
		const id = await send(number, body);
		await eventually(async () => {
			expect((await messageRow(service.sql, id)).status).toBe(status);
			expect(outcomesOf(id)).toEqual([outcome]);
		});
	},
);

test("number 0006: without a receipt the message stays submitted", async () => {
	const id = await send("0006");
	await eventually(async () => {
		expect((await messageRow(service.sql, id)).status).toBe("submitted");
	});
	expect(outcomesOf(id)).toEqual([]);
});

test("number 0012: with the response lost the receipt tells what became of the message: one SMS, not two", async () => {
	const id = await send("0012");
	await eventually(async () => {
		expect(await messageRow(service.sql, id)).toMatchObject({
			status: "delivered",
			attempts: 1,
			possibleDuplicate: false,
		});
		expect(outcomesOf(id)).toEqual(["delivered"]);
	});
	await delay(1.5 * UNKNOWN_WAIT_S * 1_000);
	expect(submitsTo("0012")).toBe(1);
});

test("the operator's connection lost under load: every message ends, none unmarked twice", async () => {
	const count = 300;
	const { results } = await service.messaging.sendMessages({
		messages: Array.from({ length: count }, (_, nth) =>
			messageTo(organization, { to: "+33698765432", body: `drop ${nth}` }),
		),
	});
	const ids = results.map((result) => acceptedOf(result).messageId);
	await eventually(() => {
		expect(submitsTo("98765432")).toBeGreaterThan(20);
	});
	smsc.dropConnections();
	await eventually(async () => {
		const rows = await service.sql`
				select
				from messages
				where id = any(${ids}::uuid[])
				and status = 'delivered'
			`;
		expect(rows.count).toBe(count);
	});
	const marked = await service.sql`
		select
		from messages
		where id = any(${ids}::uuid[])
		and possible_duplicate
	`;
	expect(submitsTo("98765432") - count).toBeLessThanOrEqual(marked.count);
	await eventually(() => {
		for (const id of ids) expect(outcomesOf(id)).toEqual(["delivered"]);
	});
});
