import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { refusalOf } from "@airtower/platform/testing/refusals";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Context } from "../src/context.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { startTestRpc, type TestRpc } from "./support/rpc.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	outcomeEvent,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
	ctx = await createStageContext(database);
	rpc = await startTestRpc(ctx);
	receiver = await startReceiver();
});

afterAll(async () => {
	await rpc.close();
	await ctx.poster.close();
	await receiver.close();
	await database.drop();
});

test("an organization sees the callbacks about one of its messages, and nobody else's", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	const { organizationId } = endpoint;
	const event = outcomeEvent(organizationId);
	await takeIn(ctx, [event, outcomeEvent(organizationId)]);
	receiver.respond = (response) => response.writeHead(503).end();
	await deliverAll(ctx);
	const asked = { organizationId, messageId: event.key };
	const { deliveries } = await rpc.webhooks.listMessageDeliveries(asked);
	expect(deliveries).toMatchObject([
		{
			eventId: event.id,
			endpointId: endpoint.id,
			messageId: event.key,
			type: "message.delivered",
			status: "pending",
			attempts: 1,
			lastHttpStatus: 503,
			lastError: "http_status",
		},
	]);
	const foreign = { ...asked, organizationId: randomUUID() };
	const none = await rpc.webhooks.listMessageDeliveries(foreign);
	expect(none.deliveries).toEqual([]);
	const other = rpc.webhooksOf(randomUUID()).listMessageDeliveries(asked);
	expect(await refusalOf(other)).toMatchObject({
		reason: "organization_mismatch",
	});
});
