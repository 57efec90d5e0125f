import { randomUUID } from "node:crypto";
import { createJobs } from "@airtower/platform/runtime/jobs";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { longestMs } from "@airtower/platform/testing/frozen";
import { silentLog } from "@airtower/platform/testing/log";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { endAbandoned } from "../src/jobs/end-abandoned.ts";
import { startJobs } from "../src/jobs/index.ts";
import type { Receiver } from "./support/receiver.ts";
import type { TestRpc } from "./support/rpc.ts";
import { startRpcStage } from "./support/rpc-stage.ts";
import {
	addEndpoint,
	deliverAll,
	deliveriesTo,
	openDatabase,
	outcomeEvents,
	startDue,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	const stage = await startRpcStage(database, { attemptTimeoutMs: 60_000 });
	({ ctx, rpc, receiver } = stage);
	return stage.close;
});

describe("DeleteEndpoint", () => {
	it("ends what was queued: a deleted endpoint gets nothing more", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 20));
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		await takeIn(ctx, outcomeEvents(organizationId, 5));
		await deliverAll(ctx);
		while ((await endAbandoned(ctx)) > 0);
		expect(receiver.connections()).toBe(0);
		const deliveries = await deliveriesTo(ctx, id);
		expect(deliveries).toHaveLength(20);
		for (const delivery of deliveries)
			expect(delivery).toMatchObject({
				state: "dead",
				lastError: "endpoint_inactive",
			});
	});

	it("under load: nothing arrives after its response", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		receiver.respond = (response) => {
			setTimeout(() => response.writeHead(200).end(), 5);
		};
		const jobs = createJobs(silentLog);
		startJobs(ctx, jobs);
		await takeIn(ctx, outcomeEvents(organizationId, 500));
		await takeIn(ctx, outcomeEvents(organizationId, 500));
		await eventually(() =>
			expect(receiver.received.length).toBeGreaterThan(100),
		);
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		const arrived = receiver.received.length;
		await eventually(async () => {
			const rows = await ctx.sql`
				select
				from delivery_queue
				where endpoint_id = ${id}
			`;
			expect(rows).toHaveLength(0);
		});
		expect(receiver.received).toHaveLength(arrived);
		expect(arrived).toBeLessThan(1_000);
		await jobs.close();
	});

	it("does not wait for a receiver that hangs for more than a second", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		receiver.respond = () => {};
		await takeIn(ctx, outcomeEvents(organizationId, 1));
		await startDue(ctx);
		const startedAt = performance.now();
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		expect(performance.now() - startedAt).toBeLessThan(longestMs(2_500));
	});

	it("forgets the secret", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		const [row] = await ctx.sql`
			select length(secret) as bytes
			from endpoints
			where id = ${id}
		`;
		expect(row).toEqual({ bytes: 0 });
	});

	it("does not know an id of nobody, of another organization, deleted before or malformed", async () => {
		const mine = await addEndpoint(ctx, receiver.url);
		const deleted = await addEndpoint(ctx, receiver.url, mine.organizationId);
		await rpc.webhooks.deleteEndpoint({
			organizationId: mine.organizationId,
			endpointId: deleted.id,
		});
		const foreign = await addEndpoint(ctx, receiver.url);
		for (const endpointId of [randomUUID(), foreign.id, deleted.id, "x", ""])
			expect(
				await refusalOf(
					rpc.webhooks.deleteEndpoint({
						organizationId: mine.organizationId,
						endpointId,
					}),
				),
			).toMatchObject({
				kind: "not_found",
				reason: "unknown_webhook_endpoint",
			});
		await rpc.webhooks.deleteEndpoint({
			organizationId: foreign.organizationId,
			endpointId: foreign.id,
		});
	});

	it("refuses a caller without a token, or with another organization's", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const request = { organizationId, endpointId: id };
		expect(await codeOf(rpc.strangerWebhooks.deleteEndpoint(request))).toBe(
			"Unauthenticated",
		);
		expect(
			await refusalOf(rpc.webhooksOf(randomUUID()).deleteEndpoint(request)),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
