import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { codeOf, refusalOf } from "@airtower/platform/testing/refusals";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import type { PageKey } from "@airtower/proto/common/v1/page";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import type { Receiver } from "./support/receiver.ts";
import type { TestRpc } from "./support/rpc.ts";
import { startRpcStage } from "./support/rpc-stage.ts";
import {
	addEndpoint,
	deliverAll,
	killAll,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	type TestEndpoint,
	takeIn,
} from "./support/stage.ts";

let database: TestDatabase;
let ctx: Context;
let rpc: TestRpc;
let receiver: Receiver;
let endpoint: TestEndpoint;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	const stage = await startRpcStage(database);
	({ ctx, rpc, receiver } = stage);
	endpoint = await addEndpoint(ctx, receiver.url);
	return stage.close;
});

/** All pages, to the last one. */
async function readPages(status = "", limit = 2) {
	const { id: endpointId, organizationId } = endpoint;
	const pages = [];
	let after: PageKey | undefined;
	do {
		const page = { limit, ...(after && { after }) };
		const found = await rpc.webhooks.listEndpointDeliveries({
			organizationId,
			endpointId,
			status,
			page,
		});
		pages.push(found.deliveries);
		after = found.next;
	} while (after !== undefined);
	return pages;
}

const eventIds = async (status = "", limit = 2) =>
	(await readPages(status, limit)).flat().map(({ eventId }) => eventId);

describe("ListEndpointDeliveries", () => {
	it("shows what became of each event, newest first, with its kind and message", async () => {
		const event = outcomeEvent(endpoint.organizationId, {
			status: "failed",
			errorCode: "expired",
		});
		await takeIn(ctx, [event]);
		receiver.respond = (response) => response.writeHead(503).end();
		await deliverAll(ctx);
		const later = outcomeEvent(endpoint.organizationId);
		receiver.respond = (response) => response.writeHead(202).end();
		await takeIn(ctx, [later]);
		await deliverAll(ctx);
		const [deliveries] = await readPages("", 10);
		expect(deliveries).toMatchObject([
			{
				eventId: later.id,
				endpointId: endpoint.id,
				messageId: later.key,
				type: "message.delivered",
				status: "delivered",
				attempts: 1,
				lastHttpStatus: 202,
				lastError: "",
			},
			{
				eventId: event.id,
				endpointId: endpoint.id,
				messageId: event.key,
				type: "message.failed",
				status: "pending",
				attempts: 1,
				lastHttpStatus: 503,
				lastError: "http_status",
			},
		]);
		expect(deliveries?.[0]?.nextAttemptAt).toBeUndefined();
		expect(deliveries?.[1]?.nextAttemptAt).toBeDefined();
		expect(deliveries?.[0]?.createdAt).toBeDefined();
	});

	it("lists all deliveries, each once, and those of one status", async () => {
		const { id, organizationId } = endpoint;
		const given = outcomeEvents(organizationId, 3);
		await takeIn(ctx, given);
		await deliverAll(ctx);
		const dead = outcomeEvents(organizationId, 5);
		await takeIn(ctx, dead);
		await killAll(ctx, id);
		const waiting = outcomeEvents(organizationId, 3);
		await takeIn(ctx, waiting);
		const newestFirst = (events: typeof given) =>
			events.map((event) => event.id).toReversed();
		expect(await eventIds()).toEqual(
			newestFirst([...given, ...dead, ...waiting]),
		);
		expect(await eventIds("dead")).toEqual(newestFirst(dead));
		expect(await eventIds("pending")).toEqual(newestFirst(waiting));
		expect(await eventIds("delivered")).toEqual(newestFirst(given));
	});

	it("shows no delivery to another endpoint of the organization, or of another organization", async () => {
		const other = await addEndpoint(
			ctx,
			receiver.url,
			endpoint.organizationId,
			["message.failed"],
		);
		const stranger = await addEndpoint(ctx, receiver.url);
		const failed = outcomeEvent(endpoint.organizationId, {
			status: "failed",
			errorCode: "expired",
		});
		const delivered = outcomeEvent(endpoint.organizationId);
		await takeIn(ctx, [
			failed,
			delivered,
			outcomeEvent(stranger.organizationId),
		]);
		await killAll(ctx, stranger.id);
		expect(await eventIds()).toEqual([delivered.id, failed.id]);
		endpoint = other;
		expect(await eventIds()).toEqual([failed.id]);
	});

	it("looks at a bounded number of events for a page, and goes on where it stopped", async () => {
		const { organizationId } = endpoint;
		const first = outcomeEvent(organizationId);
		await takeIn(ctx, [first]);
		await ctx.sql`
			insert into events (id, organization_id, message_id, type, body, occurred_at, created_at, endpoint_ids)
			select uuidv7(), ${organizationId}, uuidv7(), 'message.failed', '', now(), now(), '{}'
			from generate_series(1, 6000)
		`;
		const last = outcomeEvent(organizationId);
		await takeIn(ctx, [last]);
		const pages = await readPages("", 10);
		expect(pages.length).toBeGreaterThan(1);
		expect(pages.flat().map(({ eventId }) => eventId)).toEqual([
			last.id,
			first.id,
		]);
	});

	it("lists each delivery once while events come between the looks of a page", async () => {
		const { organizationId } = endpoint;
		const given = outcomeEvents(organizationId, 20);
		await takeIn(ctx, given);
		const comeOthers = (count: number) => ctx.sql`
			insert into events (id, organization_id, message_id, type, body, occurred_at, created_at, endpoint_ids)
			select uuidv7(), ${organizationId}, uuidv7(), 'message.failed', '', now(), now(), '{}'
			from generate_series(1, ${count}::int)
		`;
		await comeOthers(4_990);
		const { fates, sql } = troubledSql(database.connect());
		const busy = await startRpcStage(database, { sql });
		rpc = busy.rpc;
		fates.set("select found.*", async (run) => {
			await comeOthers(3);
			const rows = await run();
			await comeOthers(3);
			return rows;
		});
		expect(await eventIds("", 50)).toEqual(
			given.map(({ id }) => id).toReversed(),
		);
		await busy.close();
	});

	it("does not know an endpoint of nobody, of another organization, deleted or malformed", async () => {
		const { organizationId } = endpoint;
		const foreign = await addEndpoint(ctx, receiver.url);
		const deleted = await addEndpoint(ctx, receiver.url, organizationId);
		await rpc.webhooks.deleteEndpoint({
			organizationId,
			endpointId: deleted.id,
		});
		const page = { limit: 1 };
		for (const endpointId of [randomUUID(), foreign.id, deleted.id, "x"])
			expect(
				await refusalOf(
					rpc.webhooks.listEndpointDeliveries({
						organizationId,
						endpointId,
						page,
					}),
				),
			).toMatchObject({
				kind: "not_found",
				reason: "unknown_webhook_endpoint",
			});
	});

	it("refuses a status that is none, a caller without a token, or with another organization's", async () => {
		const { id: endpointId, organizationId } = endpoint;
		const request = { organizationId, endpointId, page: { limit: 1 } };
		const lost = { ...request, status: "lost" };
		expect(
			(await refusalOf(rpc.webhooks.listEndpointDeliveries(lost))).kind,
		).toBe("invalid");
		expect(
			await codeOf(rpc.strangerWebhooks.listEndpointDeliveries(request)),
		).toBe("Unauthenticated");
		const other = rpc.webhooksOf(randomUUID());
		expect(
			await refusalOf(other.listEndpointDeliveries(request)),
		).toMatchObject({ reason: "organization_mismatch" });
	});
});
