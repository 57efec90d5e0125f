import { randomUUID } from "node:crypto";
import { createJobs } from "@airtower/platform/runtime/jobs";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { silentLog } from "@airtower/platform/testing/log";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { startJobs } from "../src/jobs/index.ts";
import { START_WINDOW } from "../src/sending/endpoint-queues.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	openDatabase,
	outcomeEvents,
	type TestEndpoint,
	takeIn,
} from "./support/stage.ts";

/** Long: who waits for one waits longer than a busy machine takes for everything else. */
const ATTEMPT_TIMEOUT_MS = 90_000;
/** Deliveries that one statement queues. */
const CHUNK = 5_000;

let database: TestDatabase;
let receiver: Receiver;
let busy: Receiver;
let ctx: Context;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	await database.sql`truncate delivery_queue, events, attempts, endpoints`;
	receiver = await startReceiver();
	busy = await startReceiver();
	ctx = await createStageContext(database, {
		attemptTimeoutMs: ATTEMPT_TIMEOUT_MS,
		wakeSender: () => sender.wake(),
	});
	const jobs = createJobs(silentLog);
	const sender = startJobs(ctx, jobs);
	return async () => {
		await ctx.poster.close();
		await jobs.close();
		await receiver.close();
		await busy.close();
	};
});

/** Queues many deliveries at once, as an outage of the receiver would leave them. */
async function queueBacklog(
	{ id, organizationId }: TestEndpoint,
	length: number,
): Promise<void> {
	for (let queued = 0; queued < length; queued += CHUNK)
		await database.sql`
			with stored as (
				insert into events (id, organization_id, message_id, type, body, occurred_at, created_at, endpoint_ids)
				select uuidv7(), ${organizationId}, uuidv7(), 'message.delivered', '{}', now(), now(), array[${id}]::uuid[]
				from generate_series(1, ${CHUNK}::int)
				returning id
			)
			insert into delivery_queue (event_id, endpoint_id, due_at)
			select id, ${id}, now() - interval '1 hour'
			from stored
		`;
}

/** Sends ten bursts, one after another as each has arrived; returns the longest wait for one, ms. */
async function longestBurstMs(organizationId: string): Promise<number> {
	let longest = 0;
	for (let burst = 1; burst <= 10; burst++) {
		const startedAt = performance.now();
		await takeIn(ctx, outcomeEvents(organizationId, 20));
		await eventually(() => expect(receiver.received).toHaveLength(burst * 20), {
			everyMs: 2,
		});
		longest = Math.max(longest, performance.now() - startedAt);
	}
	return longest;
}

it("an endpoint that hangs with 50,000 events holds few sockets and delays nobody", async () => {
	busy.respond = () => {};
	const hanging = await addEndpoint(ctx, busy.url);
	await queueBacklog(hanging, 50_000);
	await eventually(() => expect(busy.received.length).toBeGreaterThan(0));
	const healthy = await addEndpoint(ctx, receiver.url);
	expect(await longestBurstMs(healthy.organizationId)).toBeLessThan(
		ATTEMPT_TIMEOUT_MS / 2,
	);
	expect(await busy.open()).toBeLessThanOrEqual(START_WINDOW);
});

it("an organization that floods five endpoints gets a few rounds ahead of another's burst, not its backlog", async () => {
	const flooding = randomUUID();
	for (let i = 0; i < 5; i++)
		await queueBacklog(await addEndpoint(ctx, busy.url, flooding), 10_000);
	await eventually(() => expect(busy.received.length).toBeGreaterThan(500));
	const healthy = await addEndpoint(ctx, receiver.url);
	const before = busy.received.length;
	await longestBurstMs(healthy.organizationId);
	const perBurst = (busy.received.length - before) / 10;
	expect(perBurst).toBeLessThan(2_500);
});
