import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { disableEndpoints } from "../src/jobs/disable-endpoints.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import { startTestRpc, type TestRpc } from "./support/rpc.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let broken: Receiver;
let sound: Receiver;
let organizationId: string;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	ctx = await createStageContext(database);
	rpc = await startTestRpc(ctx);
	broken = await startReceiver();
	sound = await startReceiver();
	organizationId = randomUUID();
	return async () => {
		await rpc.close();
		await ctx.poster.close();
		await broken.close();
		await sound.close();
	};
});

const listen = (kinds: string[], organization = organizationId) =>
	addEndpoint(ctx, sound.url, organization, kinds);

const notices = () =>
	sound.received
		.map(({ body }) => JSON.parse(body))
		.filter(({ type }) => type === "webhook.disabled");

describe("the owner hears of a disabled endpoint", () => {
	it("from webhook.disabled at the other endpoints that subscribe to it, once", async () => {
		await listen(["webhook.disabled"]);
		await listen(["message.failed"]);
		await listen(["webhook.disabled"], randomUUID());
		const { id } = await addEndpoint(ctx, broken.url, organizationId);
		broken.respond = (response) => response.writeHead(410).end();
		await takeIn(ctx, outcomeEvents(organizationId, 5));
		await deliverAll(ctx);
		const { endpoints } = await rpc.webhooks.listEndpoints({
			organizationId,
			page: { limit: 10 },
		});
		const disabled = endpoints.filter((one) => one.disabledAt !== undefined);
		expect(disabled).toMatchObject([{ id, disabledReason: "gone" }]);
		expect(notices()).toEqual([
			{
				id: expect.any(String),
				type: "webhook.disabled",
				created_at: expect.stringMatching(/Z$/),
				data: {
					webhook_endpoint_id: id,
					url: broken.url,
					disabled_reason: "gone",
					disabled_at: expect.stringMatching(/Z$/),
				},
			},
		]);
		expect(sound.received[0]?.headers["webhook-id"]).toBe(notices()[0]?.id);
	});

	it("also when days of failures have disabled it", async () => {
		await listen(["webhook.disabled"]);
		const { id } = await addEndpoint(ctx, broken.url, organizationId);
		await ctx.sql`
			update endpoints
			set failures = 20, failing_since = now() - interval '5 days', last_failed_at = now()
			where id = ${id}
		`;
		expect(await disableEndpoints(ctx)).toBe(1);
		expect(await disableEndpoints(ctx)).toBe(0);
		await deliverAll(ctx);
		expect(notices()).toMatchObject([
			{ data: { webhook_endpoint_id: id, disabled_reason: "failing" } },
		]);
	});

	it("and a deletion by its owner is no such event", async () => {
		await listen(["webhook.disabled"]);
		const { id } = await addEndpoint(ctx, broken.url, organizationId);
		await rpc.webhooks.deleteEndpoint({ organizationId, endpointId: id });
		await takeIn(ctx, [outcomeEvent(organizationId)]);
		await deliverAll(ctx);
		expect(notices()).toEqual([]);
	});
});
