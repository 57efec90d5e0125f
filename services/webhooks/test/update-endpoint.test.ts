import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { disableEndpoints } from "../src/jobs/disable-endpoints.ts";
import type { Receiver } from "./support/receiver.ts";
import { startTestRpc, type TestRpc } from "./support/rpc.ts";
import { startRpcStage } from "./support/rpc-stage.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	letTimePass,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	startDue,
	takeIn,
} from "./support/stage.ts";

const PUBLIC_URL = "https://hooks.example.com/airtower";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	const stage = await startRpcStage(database);
	({ ctx, rpc, receiver } = stage);
	return stage.close;
});

/** An endpoint that its receiver's 410 has disabled. */
async function disabledEndpoint() {
	const endpoint = await addEndpoint(ctx, receiver.url);
	receiver.respond = (response) => response.writeHead(410).end();
	await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
	await deliverAll(ctx);
	receiver.respond = (response) => response.writeHead(200).end();
	receiver.received.length = 0;
	return endpoint;
}

describe("UpdateEndpoint", () => {
	it("sends to the new address from then on, and keeps what is not named", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const url = `${receiver.url}/moved`;
		const { endpoint } = await rpc.webhooks.updateEndpoint({
			organizationId,
			endpointId: id,
			url,
		});
		expect(endpoint).toMatchObject({
			id,
			url,
			status: "active",
			subscribedEvents: ["message.delivered", "message.failed"],
		});
		await takeIn(ctx, [outcomeEvent(organizationId)]);
		await deliverAll(ctx);
		expect(receiver.received.map(({ path }) => path)).toEqual(["/hook/moved"]);
	});

	it("changes the kinds of events, and keeps the address", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const { endpoint } = await rpc.webhooks.updateEndpoint({
			organizationId,
			endpointId: id,
			subscribedEvents: ["message.failed"],
		});
		expect(endpoint).toMatchObject({
			url: receiver.url,
			subscribedEvents: ["message.failed"],
		});
		await takeIn(ctx, [outcomeEvent(organizationId)]);
		await deliverAll(ctx);
		expect(receiver.received).toHaveLength(0);
	});

	it("makes a disabled endpoint active again, and events reach it", async () => {
		const { id, organizationId } = await disabledEndpoint();
		const request = { organizationId, endpointId: id };
		const before = await rpc.webhooks.updateEndpoint({
			...request,
			url: receiver.url,
		});
		expect(before.endpoint).toMatchObject({
			status: "disabled",
			disabledReason: "gone",
		});
		expect(before.endpoint?.disabledAt).toBeDefined();
		const { endpoint } = await rpc.webhooks.updateEndpoint({
			...request,
			enable: true,
		});
		expect(endpoint).toMatchObject({ status: "active", disabledReason: "" });
		expect(endpoint?.disabledAt).toBeUndefined();
		await takeIn(ctx, [outcomeEvent(organizationId)]);
		await deliverAll(ctx);
		expect(receiver.received).toHaveLength(1);
	});

	it("counts the five days of failures anew for an endpoint that was made active again", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		receiver.respond = (response) => response.writeHead(500).end();
		await takeIn(ctx, outcomeEvents(organizationId, 20));
		await deliverAll(ctx);
		await ctx.sql`
			update endpoints
			set failing_since = now() - interval '6 days'
			where id = ${id}
		`;
		expect(await disableEndpoints(ctx)).toBe(1);
		await rpc.webhooks.updateEndpoint({
			organizationId,
			endpointId: id,
			enable: true,
		});
		await letTimePass(ctx);
		await deliverAll(ctx);
		expect(await disableEndpoints(ctx)).toBe(0);
	});

	it("a 410 from the previous address does not disable the endpoint at its new one, which gets the event", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const release = Promise.withResolvers<void>();
		receiver.respond = (response) => {
			void release.promise.then(() => response.writeHead(410).end());
		};
		const event = outcomeEvent(organizationId);
		await takeIn(ctx, [event]);
		await startDue(ctx);
		const { endpoint } = await rpc.webhooks.updateEndpoint({
			organizationId,
			endpointId: id,
			url: `${receiver.url}/moved`,
		});
		release.resolve();
		await ctx.sender.idle();
		const { endpoints } = await rpc.webhooks.listEndpoints({
			organizationId,
			page: { limit: 1 },
		});
		expect(endpoints).toEqual([endpoint]);
		receiver.respond = (response) => response.writeHead(200).end();
		await deliverAll(ctx);
		expect(receiver.received).toMatchObject([
			{ path: "/hook", headers: { "webhook-id": event.id } },
			{ path: "/hook/moved", headers: { "webhook-id": event.id } },
		]);
		expect(await deliveriesTo(ctx, id)).toMatchObject([
			{ state: "delivered", attempt: 2 },
		]);
	});

	it("refuses an address that is not public, and leaves the endpoint as it was", async () => {
		const strict = await createStageContext(database, {
			allowPrivateAddresses: false,
			resolve: async (name) =>
				name.startsWith("inside") ? ["10.0.0.1"] : ["93.184.216.34"],
		});
		const strictRpc = await startTestRpc(strict);
		const { id, organizationId } = await addEndpoint(ctx, PUBLIC_URL);
		for (const url of ["https://127.0.0.1/", "https://inside.example.com/"])
			expect(
				await refusalOf(
					strictRpc.webhooks.updateEndpoint({
						organizationId,
						endpointId: id,
						url,
					}),
				),
			).toEqual({
				kind: "invalid",
				reason: "invalid_webhook_url",
				field: "url",
			});
		const { endpoint } = await strictRpc.webhooks.updateEndpoint({
			organizationId,
			endpointId: id,
			url: `${PUBLIC_URL}/2`,
		});
		expect(endpoint?.url).toBe(`${PUBLIC_URL}/2`);
		await strictRpc.close();
	});

	it("refuses an id that never existed, is another organization's, was deleted or is malformed", async () => {
		const { organizationId } = await addEndpoint(ctx, receiver.url);
		const foreign = await addEndpoint(ctx, receiver.url);
		const deleted = await addEndpoint(ctx, receiver.url, organizationId);
		await rpc.webhooks.deleteEndpoint({
			organizationId,
			endpointId: deleted.id,
		});
		for (const endpointId of [randomUUID(), foreign.id, deleted.id, "x"])
			expect(
				await refusalOf(
					rpc.webhooks.updateEndpoint({
						organizationId,
						endpointId,
						enable: true,
					}),
				),
			).toMatchObject({
				kind: "not_found",
				reason: "unknown_webhook_endpoint",
			});
	});

	it("refuses a caller without a token, or with another organization's", async () => {
		const { id, organizationId } = await addEndpoint(ctx, receiver.url);
		const request = { organizationId, endpointId: id, enable: true };
		expect(await codeOf(rpc.strangerWebhooks.updateEndpoint(request))).toBe(
			"Unauthenticated",
		);
		expect(
			await refusalOf(rpc.webhooksOf(randomUUID()).updateEndpoint(request)),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
