import { randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { messageOutcomeEvent } from "@airtower/proto/rules/message-events";
import { topics } from "@airtower/proto/rules/topics";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { countMessages } from "../src/consumers/index.ts";
import { startTestAccounts, type TestAccounts } from "./support/accounts.ts";
import {
	clock,
	DAY_1_MS,
	eventsOf,
	GROUPS,
	linesOf,
	type MadeMessage,
	madeMessages,
	recount,
	TWO_DAYS,
} from "./support/reported-messages.ts";

let service: TestAccounts;

beforeAll(async () => {
	service = await startTestAccounts();
});
afterAll(() => service.close());

function count(events: readonly BusEvent[], now = clock()): Promise<void> {
	return transaction(service.ctx.sql, (sql) => countMessages(sql, events, now));
}

async function report(organizationId: string, groupBy: string, more = {}) {
	const asked = { organizationId, groupBy, ...TWO_DAYS, ...more };
	return (await service.account.getDeliveryReport(asked)).sums;
}

async function expectExact(
	organizationId: string,
	messages: readonly MadeMessage[],
): Promise<void> {
	for (const group of GROUPS)
		expect(linesOf(await report(organizationId, group)), group).toEqual(
			recount(messages, group),
		);
}

function chunks<T>(items: readonly T[], size: number): T[][] {
	return items.flatMap((_, nth) =>
		nth % size === 0 ? [items.slice(nth, nth + size)] : [],
	);
}

test("in any order, from several processes, repeated and replayed, events count each message once", async () => {
	const organizationId = randomUUID();
	const all: MadeMessage[] = [];
	await fc.assert(
		fc.asyncProperty(
			madeMessages(organizationId),
			fc.integer({ min: 1, max: 7 }),
			fc.infiniteStream(fc.nat()),
			async (messages, size, ranks) => {
				all.push(...messages);
				const events = eventsOf(messages, size);
				const shuffled = [...events, ...events]
					.map((event) => ({ event, rank: Number(ranks.next().value) }))
					.toSorted((a, b) => a.rank - b.rank)
					.map(({ event }) => event);
				await Promise.all(
					chunks(shuffled, size * 3).map((some) => count(some)),
				);
				await count(events);
			},
		),
		{ numRuns: 12, endOnFailure: true },
	);
	await expectExact(organizationId, all);
});

test("a line has the times to the receipt of those that were delivered, and none without", async () => {
	const organizationId = randomUUID();
	const made = (seconds: number, status: "delivered" | "failed") => ({
		...SMS,
		id: uuidv7(DAY_1_MS),
		organizationId,
		end: { ...END, seconds, status },
	});
	const delivered = Array.from({ length: 20 }, (_, nth) =>
		made(nth < 18 ? 4 : 600, "delivered"),
	);
	await count(eventsOf([...delivered, made(4, "failed")], 50));
	const [line] = await report(organizationId, "day");
	expect(line?.medianSeconds).toBeGreaterThan(4 / 1.13);
	expect(line?.medianSeconds).toBeLessThan(4 * 1.13);
	expect(line?.p95Seconds).toBeGreaterThan(600 / 1.13);
	expect(line?.p95Seconds).toBeLessThan(600 * 1.13);
	const [other] = await report(organizationId, "day", { channel: "whatsapp" });
	expect(other).toBeUndefined();
});

const SMS = {
	channel: "sms",
	recipient: "+33612345678",
	route: "north",
	sender: "Airtower",
	template: null,
	campaignId: null,
	segments: 2,
} as const;

const END = {
	status: "delivered",
	reason: "",
	route: "north",
	seconds: 1,
	costMicros: 0,
	currency: "",
} as const;

test("the end of a message whose acceptance a release without reports kept to itself counts as accepted too", async () => {
	const organizationId = randomUUID();
	const message = { ...SMS, id: uuidv7(DAY_1_MS), organizationId, end: END };
	const ends = eventsOf([message], 1).filter(
		({ topic }) => topic === topics.messagingOutcome,
	);
	await count(ends);
	expect(await report(organizationId, "day")).toMatchObject([
		{ accepted: 1n, delivered: 1n, unknown: 0n },
	]);
});

test("an end of which a release without reports tells, and one that is too old to be marked, is not counted", async () => {
	const messageId = uuidv7(DAY_1_MS);
	const organizationId = randomUUID();
	const outcome = { messageId, organizationId, channel: "sms" };
	const event = {
		id: uuidv7(),
		topic: topics.messagingOutcome,
		...messageOutcomeEvent({ ...outcome, status: "delivered" }),
	};
	await count([event]);
	const message = { ...SMS, organizationId, id: messageId, end: END };
	const events = eventsOf([message], 1);
	await count(events, new Date(DAY_1_MS + 121 * 86_400_000));
	expect(await report(organizationId, "day")).toEqual([]);
	await count(events);
	expect(await report(organizationId, "day")).toMatchObject([
		{ accepted: 1n, delivered: 1n },
	]);
});

test("days are those of UTC, the first inclusive, the end exclusive; hours and days come newest first", async () => {
	const organizationId = randomUUID();
	const times = ["2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00Z"];
	const messages = [...times, "2026-03-02T23:59:59.999Z"].map((time) => ({
		...SMS,
		id: uuidv7(Date.parse(time)),
		organizationId,
		end: undefined,
	}));
	await count(eventsOf(messages, 3));
	const values = async (groupBy: string) =>
		(await report(organizationId, groupBy)).map(({ value }) => value);
	expect(await values("day")).toEqual(["2026-03-02", "2026-03-01"]);
	expect(await values("hour")).toEqual([
		"2026-03-02T23:00:00Z",
		"2026-03-01T00:00:00Z",
	]);
});

test("other values come with most messages first", async () => {
	const organizationId = randomUUID();
	const messages = ["few", "most", "some", "most", "some", "most"].map(
		(sender) => ({
			...SMS,
			id: uuidv7(DAY_1_MS),
			organizationId,
			sender,
			end: undefined,
		}),
	);
	await count(eventsOf(messages, 4));
	const lines = await report(organizationId, "sender");
	expect(lines.map(({ value }) => value)).toEqual(["most", "some", "few"]);
});

test("a report of more than 31 days, or of more than 5,000 lines, is refused, and names what to change", async () => {
	const organizationId = randomUUID();
	const dateTo = timestampFromMs(DAY_1_MS + 32 * 86_400_000);
	await expect(report(organizationId, "day", { dateTo })).rejects.toMatchObject(
		{ code: Code.InvalidArgument },
	);
	await service.observer`
		insert into report_counts (
			organization_id, dimension, begins_at, value, channel, currency,
			accepted, delivered, canceled, failures, receipt_times, segments, cost_micros
		)
		select ${organizationId}, 'sender', ${new Date(DAY_1_MS)}, nth::text, 'sms', '', 1, 0, 0, 0, 0, 1, 0
		from generate_series(1, 5001) as nth
	`;
	await expect(report(organizationId, "sender")).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
});

test.each([
	{ dateFrom: undefined },
	{ dateTo: undefined },
	{ groupBy: "recipient" },
	{ channel: "fax" },
])("a report of %j is invalid", async (wrong) => {
	await expect(report(randomUUID(), "day", wrong)).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
});

test("a caller without a valid token, or of another organization, is refused", async () => {
	const asked = { organizationId: randomUUID(), groupBy: "day", ...TWO_DAYS };
	await expect(
		service.strangerAccount.getDeliveryReport(asked),
	).rejects.toMatchObject({ code: Code.Unauthenticated });
	await expect(
		service.accountOf(randomUUID()).getDeliveryReport(asked),
	).rejects.toMatchObject({ code: Code.PermissionDenied });
});
