import { randomUUID } from "node:crypto";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { DailyReportSchema } from "@airtower/proto/accounts/v1/events";
import { topics } from "@airtower/proto/rules/topics";
import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database);
	receiver = await startReceiver();
});
afterAll(async () => {
	await ctx.poster.close();
	await receiver.close();
	await database.drop();
});

function reportEvent(
	report: MessageInitShape<typeof DailyReportSchema>,
): BusEvent {
	const { organizationId = "" } = report;
	return {
		id: uuidv7(),
		topic: topics.accountsDailyReport,
		type: "daily_report",
		key: organizationId,
		organizationId,
		payload: toBinary(DailyReportSchema, create(DailyReportSchema, report)),
	};
}

it("a day's report arrives once at who subscribes to it, as the API has it, and at nobody else", async () => {
	const kinds = ["report.daily"];
	const { organizationId } = await addEndpoint(
		ctx,
		receiver.url,
		randomUUID(),
		kinds,
	);
	await addEndpoint(ctx, receiver.url, organizationId);
	await addEndpoint(ctx, receiver.url, randomUUID(), kinds);
	const event = reportEvent({
		organizationId,
		day: "2026-03-01",
		sums: [
			{
				value: "2026-03-01",
				channel: "sms",
				accepted: 12n,
				delivered: 8n,
				failed: 2n,
				failures: [{ reason: "expired", messages: 2n }],
				canceled: 1n,
				unknown: 1n,
				medianSeconds: 3.56,
				p95Seconds: 14.3,
				segments: 14n,
				costs: [{ currency: "EUR", micros: 495_000n }],
			},
			{ value: "2026-03-01", channel: "whatsapp", accepted: 1n, unknown: 1n },
		],
	});
	for (let times = 0; times < 2; times++) await takeIn(ctx, [event]);
	await deliverAll(ctx);
	const bodies = receiver.received.map(({ body }) =>
		JSON.parse(body.toString()),
	);
	expect(bodies).toEqual([
		{
			id: event.id,
			type: "report.daily",
			created_at: expect.any(String),
			data: {
				day: "2026-03-01",
				sums: [
					{
						value: "2026-03-01",
						channel: "sms",
						accepted: 12,
						delivered: 8,
						failed: 2,
						failures: [{ reason: "expired", messages: 2 }],
						canceled: 1,
						unknown: 1,
						median_seconds: 3.56,
						p95_seconds: 14.3,
						segments: 14,
						costs: [{ currency: "EUR", amount: 0.495 }],
					},
					{
						value: "2026-03-01",
						channel: "whatsapp",
						accepted: 1,
						delivered: 0,
						failed: 0,
						failures: [],
						canceled: 0,
						unknown: 1,
						median_seconds: null,
						p95_seconds: null,
						segments: 0,
						costs: [],
					},
				],
			},
		},
	]);
});

it("a report without an organization or a day is refused, to be parked", async () => {
	for (const report of [
		{ day: "2026-03-01" },
		{ organizationId: randomUUID() },
	])
		await expect(takeIn(ctx, [reportEvent(report)])).rejects.toThrow(
			"names no",
		);
});
