import type { TestDatabase } from "@airtower/platform/testing/database";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Context } from "../src/context.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	openDatabase,
	outcomeEvents,
	startDue,
	takeIn,
} from "./support/stage.ts";

const UNCLAIMABLE = 1_000;
const EVENTS = 300;
/** Of a thousand endpoints on a busy machine. */
const TIMEOUT_MS = 600_000;

let database: TestDatabase;
let receiver: Receiver;
let ctx: Context;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	await database.sql`truncate delivery_queue, events, attempts, endpoints`;
	receiver = await startReceiver();
	ctx = await createStageContext(database);
	return async () => {
		await ctx.poster.close();
		await receiver.close();
	};
});

/** Rounds in which a process that has just started brings all of one endpoint's events. */
async function roundsToDeliver(): Promise<number> {
	const fresh = await createStageContext(database);
	receiver.received.length = 0;
	let rounds = 0;
	for (; receiver.received.length < EVENTS && rounds < EVENTS; rounds++) {
		await startDue(fresh);
		await fresh.sender.idle();
	}
	await fresh.poster.close();
	expect(receiver.received).toHaveLength(EVENTS);
	return rounds;
}

async function addEvents(count: number): Promise<void> {
	const { organizationId } = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, outcomeEvents(organizationId, count));
}

/** Each of an organization of its own, with one event. */
async function addEndpoints(count: number): Promise<void> {
	const endpoints = await Promise.all(
		Array.from({ length: count }, () => addEndpoint(ctx, receiver.url)),
	);
	await takeIn(
		ctx,
		endpoints.flatMap(({ organizationId }) => outcomeEvents(organizationId, 1)),
	);
}

test.each([
	[
		"that are disabled",
		"update endpoints set status = 'disabled', disabled_reason = 'gone', disabled_at = now()",
	],
	[
		"that wait for their next attempt",
		"update delivery_queue set due_at = now() + interval '1 hour'",
	],
	[
		"whose deliveries others hold",
		"update delivery_queue set token = uuidv7()",
	],
])(
	"a thousand endpoints %s cost one that is active no round",
	async (_, stop) => {
		await addEvents(EVENTS);
		const alone = await roundsToDeliver();
		await addEndpoints(UNCLAIMABLE);
		await database.sql.unsafe(stop);
		await addEvents(EVENTS);
		expect(await roundsToDeliver()).toBeLessThanOrEqual(Math.ceil(alone * 1.1));
	},
	TIMEOUT_MS,
);
