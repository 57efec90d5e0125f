import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
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
	killAll,
	openDatabase,
	outcomeEvent,
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
	const stage = await startRpcStage(database, { attemptTimeoutMs: 500 });
	({ ctx, rpc, receiver } = stage);
	return stage.close;
});

describe("ListDeliveries", () => {
	it("shows one delivery of the message's event per endpoint", async () => {
		const organizationId = randomUUID();
		await addEndpoint(ctx, receiver.url, organizationId);
		await addEndpoint(ctx, `${receiver.url}/bad`, organizationId);
		receiver.respond = (response, { path }) =>
			response.writeHead(path === "/hook" ? 200 : 500).end();
		const event = outcomeEvent(organizationId);
		await takeIn(ctx, [event, ...outcomeEvents(organizationId, 3)]);
		await deliverAll(ctx);
		const { deliveries } = await rpc.admin.listDeliveries({
			messageId: event.key,
		});
		expect(deliveries).toHaveLength(2);
		const good = deliveries.find((row) => row.status === "delivered");
		const bad = deliveries.find((row) => row.status === "pending");
		expect(good).toMatchObject({
			eventId: event.id,
			attempts: 1,
			lastHttpStatus: 200,
			lastError: "",
		});
		expect(good?.nextAttemptAt).toBeUndefined();
		expect(bad).toMatchObject({
			lastHttpStatus: 500,
			lastError: "http_status",
		});
		expect(bad?.nextAttemptAt).toBeDefined();
	});

	it.each([200, 202, 204])(
		"shows the HTTP status of a first callback that succeeds: %i",
		async (status) => {
			const { organizationId } = await addEndpoint(ctx, receiver.url);
			receiver.respond = (response) => response.writeHead(status).end();
			const event = outcomeEvent(organizationId);
			await takeIn(ctx, [event]);
			await deliverAll(ctx);
			const { deliveries } = await rpc.admin.listDeliveries({
				messageId: event.key,
			});
			expect(deliveries).toMatchObject([
				{ status: "delivered", attempts: 1, lastHttpStatus: status },
			]);
		},
	);

	it("an admin bound to one organization sees its own deliveries only", async () => {
		const { organizationId } = await addEndpoint(ctx, receiver.url);
		const event = outcomeEvent(organizationId);
		await takeIn(ctx, [event]);
		const list = async (organization: string) => {
			const admin = rpc.adminOf(organization);
			const { deliveries } = await admin.listDeliveries({
				messageId: event.key,
			});
			return deliveries.map(({ eventId }) => eventId);
		};
		expect(await list(organizationId)).toEqual([event.id]);
		expect(await list(randomUUID())).toEqual([]);
	});

	it("shows nothing for a message without events, and refuses an id that is none", async () => {
		const { deliveries } = await rpc.admin.listDeliveries({
			messageId: randomUUID(),
		});
		expect(deliveries).toEqual([]);
		expect(
			(await refusalOf(rpc.admin.listDeliveries({ messageId: "x" }))).kind,
		).toBe("invalid");
	});
});

describe("CountDeliveries", () => {
	it("counts by status; what is being sent is pending", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 4));
		await killAll(ctx, id);
		await takeIn(ctx, outcomeEvents(organizationId, 3));
		await deliverAll(ctx);
		receiver.respond = () => {};
		await takeIn(ctx, outcomeEvents(organizationId, 2));
		await startDue(ctx);
		const { counts } = await rpc.admin.countDeliveries({ organizationId });
		expect(counts).toEqual({ dead: 4n, delivered: 3n, pending: 2n });
		await ctx.sender.idle();
	});
});

describe("RedriveDeliveries", () => {
	it("sends dead deliveries again, with a fresh schedule and the same ids", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const stranger = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 5));
		await takeIn(ctx, outcomeEvents(stranger.organizationId, 1));
		await killAll(ctx, id);
		await killAll(ctx, stranger.id);
		expect(await rpc.admin.redriveDeliveries({ organizationId })).toMatchObject(
			{
				redriven: 5,
			},
		);
		await deliverAll(ctx);
		expect(receiver.received).toHaveLength(5);
		for (const delivery of await deliveriesTo(ctx, id))
			expect(delivery).toMatchObject({ state: "delivered", attempt: 1 });
		expect(await deliveriesTo(ctx, stranger.id)).toMatchObject([
			{ state: "dead" },
		]);
		expect(await rpc.admin.redriveDeliveries({ organizationId })).toMatchObject(
			{
				redriven: 0,
			},
		);
	});

	it("leaves the deliveries of a deleted endpoint alone", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		await takeIn(ctx, outcomeEvents(organizationId, 2));
		await killAll(ctx, id);
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		expect(await rpc.admin.redriveDeliveries({ organizationId })).toMatchObject(
			{
				redriven: 0,
			},
		);
	});
});

it("the operator's methods are refused to services and strangers", async () => {
	const organizationId = randomUUID();
	for (const [client, code] of [
		[rpc.serviceAdmin, "PermissionDenied"],
		[rpc.strangerAdmin, "Unauthenticated"],
	] as const)
		for (const call of [
			() => client.listDeliveries({ messageId: organizationId }),
			() => client.countDeliveries({ organizationId }),
			() => client.redriveDeliveries({ organizationId }),
		])
			expect(await codeOf(call())).toBe(code);
});
