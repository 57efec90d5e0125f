import { createHash, randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import type { Receiver } from "./support/receiver.ts";
import type { TestRpc } from "./support/rpc.ts";
import { startRpcStage } from "./support/rpc-stage.ts";
import {
	addEndpoint,
	deliverAll,
	deliveriesTo,
	isBlocked,
	killAll,
	openDatabase,
	outcomeEvent,
	startDue,
	type TestEndpoint,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;
let endpoint: TestEndpoint;
let event: BusEvent;
let request: {
	readonly organizationId: string;
	readonly endpointId: string;
	readonly eventId: string;
};

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	const stage = await startRpcStage(database);
	({ ctx, rpc, receiver } = stage);
	endpoint = await addEndpoint(ctx, receiver.url);
	const { id: endpointId, organizationId } = endpoint;
	event = outcomeEvent(organizationId);
	request = { organizationId, endpointId, eventId: event.id };
	await takeIn(ctx, [event]);
	return stage.close;
});

const ids = () => receiver.received.map(({ headers }) => headers["webhook-id"]);

async function listed() {
	const { deliveries } = await rpc.admin.listDeliveries({
		messageId: event.key,
	});
	return deliveries;
}

describe("Redeliver", () => {
	it("sends a delivered event again, under the same id", async () => {
		receiver.respond = (response) => response.writeHead(204).end();
		await deliverAll(ctx);
		const { delivery } = await rpc.webhooks.redeliver(request);
		expect(delivery).toMatchObject({
			eventId: event.id,
			endpointId: endpoint.id,
			status: "pending",
			attempts: 0,
			messageId: event.key,
		});
		receiver.respond = (response) => response.writeHead(200).end();
		await deliverAll(ctx);
		expect(ids()).toEqual([event.id, event.id]);
		expect(await listed()).toMatchObject([
			{ status: "delivered", attempts: 1, lastHttpStatus: 200 },
		]);
	});

	it("sends a dead event again, with a fresh schedule", async () => {
		await killAll(ctx, endpoint.id);
		await rpc.webhooks.redeliver(request);
		expect(
			await rpc.admin.countDeliveries({
				organizationId: endpoint.organizationId,
			}),
		).toMatchObject({ counts: { pending: 1n } });
		receiver.respond = (response) => response.writeHead(500).end();
		await deliverAll(ctx);
		expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
			{ state: "pending", attempt: 1, lastError: "http_status" },
		]);
	});

	it("makes a delivery that waits for its next attempt due at once", async () => {
		receiver.respond = (response) => response.writeHead(500).end();
		await deliverAll(ctx);
		receiver.respond = (response) => response.writeHead(200).end();
		await rpc.webhooks.redeliver(request);
		await deliverAll(ctx);
		expect(ids()).toEqual([event.id, event.id]);
		expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
			{ state: "delivered", attempt: 2 },
		]);
	});

	it("leaves a delivery alone that is in flight", async () => {
		const release = Promise.withResolvers<void>();
		receiver.respond = (response) => {
			void release.promise.then(() => response.writeHead(200).end());
		};
		await startDue(ctx);
		await rpc.webhooks.redeliver(request);
		release.resolve();
		await ctx.sender.idle();
		await deliverAll(ctx);
		expect(ids()).toEqual([event.id]);
		expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
			{ state: "delivered" },
		]);
	});

	it("counts a delivery once that dies while it is queued again", async () => {
		const { call } = await transaction(database.sql, async (sql) => {
			await sql`
				with ended as (
					delete from delivery_queue
					where event_id = ${event.id}
				)
				insert into dead_deliveries (event_id, endpoint_id, attempt, error)
				values (${event.id}, ${endpoint.id}, 9, 'timeout')
			`;
			const call = rpc.webhooks.redeliver(request);
			await Promise.race([call, eventually(() => isBlocked(database))]);
			return { call };
		});
		await call;
		const { organizationId } = endpoint;
		const { counts } = await rpc.admin.countDeliveries({ organizationId });
		expect(counts).toEqual({ pending: 1n });
	});

	it("a repeated idempotency key sends once more, not twice", async () => {
		await deliverAll(ctx);
		const fingerprint = createHash("sha256").update("again").digest();
		const keyed = { ...request, idempotency: { key: "key-1", fingerprint } };
		const first = await rpc.webhooks.redeliver(keyed);
		await deliverAll(ctx);
		const second = await rpc.webhooks.redeliver(keyed);
		await deliverAll(ctx);
		expect(second).toEqual({ ...first, replayed: true });
		expect(ids()).toHaveLength(2);
	});

	it("is refused while the endpoint is disabled", async () => {
		receiver.respond = (response) => response.writeHead(410).end();
		await deliverAll(ctx);
		expect(await refusalOf(rpc.webhooks.redeliver(request))).toMatchObject({
			kind: "conflict",
			reason: "webhook_endpoint_disabled",
		});
		const { organizationId, endpointId } = request;
		await rpc.webhooks.updateEndpoint({
			organizationId,
			endpointId,
			enable: true,
		});
		await rpc.webhooks.redeliver(request);
	});

	it("does not know an event or endpoint of nobody, of another organization, deleted or malformed", async () => {
		const foreign = await addEndpoint(ctx, receiver.url);
		const foreignEvent = outcomeEvent(foreign.organizationId);
		await takeIn(ctx, [foreignEvent]);
		for (const unknown of [
			{ eventId: randomUUID() },
			{ eventId: foreignEvent.id },
			{ eventId: foreignEvent.id, endpointId: foreign.id },
			{ endpointId: foreign.id },
			{ endpointId: randomUUID() },
			{ eventId: "x" },
		])
			expect(
				await refusalOf(rpc.webhooks.redeliver({ ...request, ...unknown })),
			).toMatchObject({
				kind: "not_found",
				reason: "unknown_webhook_delivery",
			});
		const { organizationId, endpointId } = request;
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId });
		expect(await refusalOf(rpc.webhooks.redeliver(request))).toMatchObject({
			reason: "unknown_webhook_delivery",
		});
	});

	it("refuses a caller without a token, or with another organization's", async () => {
		expect(await codeOf(rpc.strangerWebhooks.redeliver(request))).toBe(
			"Unauthenticated",
		);
		expect(
			await refusalOf(rpc.webhooksOf(randomUUID()).redeliver(request)),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
