import { randomUUID } from "node:crypto";
import type { TestDatabase } from "@airtower/platform/testing/database";
import { Webhook } from "standardwebhooks";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from "vitest";
import type { Context } from "../src/context.ts";
import { serviceSignature } from "../src/domain/callback.ts";
import { type Receiver, startReceiver } from "./support/receiver.ts";
import {
	addEndpoint,
	createStageContext,
	deliverAll,
	deliveriesTo,
	letTimePass,
	openDatabase,
	outcomeEvent,
	outcomeEvents,
	takeIn,
} from "./support/stage.ts";

const MESSAGE_ID = "018f0000-0000-7000-8000-00000000abcd";

let database: TestDatabase;
let ctx: Context;
let receiver: Receiver;

beforeAll(async () => {
	database = await openDatabase();
});
afterAll(() => database.drop());
beforeEach(async () => {
	ctx = await createStageContext(database, { random: () => 0.5 });
	receiver = await startReceiver();
});
afterEach(async () => {
	await ctx.poster.close();
	await receiver.close();
});

it("an outcome reaches the receiver once, in the documented form", async () => {
	const endpoint = await addEndpoint(ctx, `${receiver.url}?a=b`);
	const event = outcomeEvent(endpoint.organizationId, {
		status: "failed",
		clientReference: "order-7",
		errorCode: "undeliverable",
		errorMessage: "The recipient cannot be reached.",
	});
	await takeIn(ctx, [event]);
	await deliverAll(ctx);

	expect(receiver.received).toHaveLength(1);
	const [callback] = receiver.received;
	expect(callback?.path).toBe("/hook?a=b");
	const body = JSON.parse(callback?.body ?? "");
	expect(body).toEqual({
		id: event.id,
		type: "message.failed",
		created_at: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
		data: {
			message_id: event.key,
			channel: "sms",
			status: "failed",
			to: "+33612345678",
			client_reference: "order-7",
			campaign_id: null,
			error: {
				code: "undeliverable",
				message: "The recipient cannot be reached.",
			},
			occurred_at: expect.stringMatching(/^\d{4}-.*T.*\.\d{3}Z$/),
		},
	});
	expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
		{ state: "delivered", attempt: 1, lastError: null },
	]);
});

it("the receiver can verify both signatures with the secret it was given", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	const event = outcomeEvent(endpoint.organizationId);
	await takeIn(ctx, [event]);
	await deliverAll(ctx);

	const [callback] = receiver.received;
	const headers = callback?.headers as Record<string, string>;
	const body = callback?.body ?? "";
	const timestamp = Number(headers["x-service-timestamp"]);
	expect(Math.abs(timestamp * 1_000 - Date.now())).toBeLessThan(60_000);
	expect(headers["x-service-event-id"]).toBe(event.id);
	expect(headers["x-service-signature"]).toBe(
		serviceSignature({ eventId: event.id, body, timestamp }, endpoint.secret),
	);
	const webhook = new Webhook(endpoint.secret, { format: "raw" });
	expect(webhook.verify(body, headers)).toEqual(JSON.parse(body));
});

it("an endpoint gets the kinds it subscribes to, and of its own organization, only", async () => {
	const organization = randomUUID();
	const delivered = await addEndpoint(ctx, receiver.url, organization, [
		"message.delivered",
	]);
	const failed = await addEndpoint(ctx, receiver.url, organization, [
		"message.failed",
	]);
	const stranger = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, [
		outcomeEvent(organization),
		outcomeEvent(organization),
		outcomeEvent(organization, { status: "failed", errorCode: "expired" }),
	]);
	await deliverAll(ctx);

	expect(await deliveriesTo(ctx, delivered.id)).toHaveLength(2);
	expect(await deliveriesTo(ctx, failed.id)).toHaveLength(1);
	expect(await deliveriesTo(ctx, stranger.id)).toHaveLength(0);
	expect(receiver.received).toHaveLength(3);
});

it("an event nobody subscribes to leaves no row", async () => {
	const event = outcomeEvent(randomUUID());
	await takeIn(ctx, [event]);
	const rows = await ctx.sql`select from events where id = ${event.id}`;
	expect(rows).toHaveLength(0);
});

it("an outcome whose ids are written in capitals reaches its receiver, with ids in small letters", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	const event = outcomeEvent(endpoint.organizationId.toUpperCase(), {
		messageId: MESSAGE_ID.toUpperCase(),
	});
	await takeIn(ctx, [event]);
	await deliverAll(ctx);
	expect(receiver.received).toHaveLength(1);
	const body = JSON.parse(receiver.received[0]?.body ?? "");
	expect(body.data.message_id).toBe(MESSAGE_ID);
});

it("an outcome that arrives again makes no second delivery", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	const event = outcomeEvent(endpoint.organizationId);
	await takeIn(ctx, [event]);
	await deliverAll(ctx);
	await takeIn(ctx, [event]);
	await takeIn(ctx, [event]);
	await deliverAll(ctx);
	expect(await deliveriesTo(ctx, endpoint.id)).toHaveLength(1);
	expect(receiver.received).toHaveLength(1);
});

it("a failed attempt is repeated on schedule with the same id and body, newly signed", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
	receiver.respond = (response) => response.writeHead(500).end();
	await deliverAll(ctx);
	const [waiting] = await deliveriesTo(ctx, endpoint.id);
	expect(waiting).toMatchObject({
		state: "pending",
		attempt: 1,
		lastError: "http_status",
	});
	expect(waiting?.dueIn).toBeGreaterThan(0);
	expect(waiting?.dueIn).toBeLessThanOrEqual(5);

	receiver.respond = (response) => response.writeHead(204).end();
	await letTimePass(ctx);
	await deliverAll(ctx);
	const [first, second] = receiver.received;
	expect(second?.body).toBe(first?.body);
	expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
	expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
		{ state: "delivered", attempt: 2, lastError: null },
	]);
	const log = await ctx.sql`
		select attempt, http_status, error
		from attempts
		where endpoint_id = ${endpoint.id}
		order by id
	`;
	expect([...log]).toEqual([
		{ attempt: 1, http_status: 500, error: "http_status" },
		{ attempt: 2, http_status: 204, error: null },
	]);
});

it("the ninth failure makes a delivery dead", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	await takeIn(ctx, [outcomeEvent(endpoint.organizationId)]);
	receiver.respond = (response) => response.writeHead(503).end();
	for (let attempt = 1; attempt <= 10; attempt++) {
		await deliverAll(ctx);
		await letTimePass(ctx);
	}
	expect(receiver.received).toHaveLength(9);
	expect(await deliveriesTo(ctx, endpoint.id)).toMatchObject([
		{ state: "dead", attempt: 9, lastError: "http_status", dueIn: null },
	]);
});

it("a receiver that asks for a pause gets it, for all its deliveries", async () => {
	const endpoint = await addEndpoint(ctx, receiver.url);
	receiver.respond = (response) =>
		response.writeHead(429, { "retry-after": "3600" }).end();
	await takeIn(ctx, outcomeEvents(endpoint.organizationId, 30));
	await deliverAll(ctx);
	expect(receiver.received.length).toBeLessThanOrEqual(8);
	const refused = (await deliveriesTo(ctx, endpoint.id)).filter(
		(delivery) => delivery.attempt === 1,
	);
	for (const { dueIn } of refused) expect(dueIn).toBeGreaterThan(3_500);
});

it("an endpoint whose secret does not open is tried again later, and hinders no other", async () => {
	const organization = randomUUID();
	const broken = await addEndpoint(ctx, receiver.url, organization);
	const sound = await addEndpoint(ctx, receiver.url, organization);
	await ctx.sql`update endpoints set secret = 'x' where id = ${broken.id}`;
	await takeIn(ctx, [outcomeEvent(organization)]);
	await deliverAll(ctx);
	expect(receiver.received).toHaveLength(1);
	expect(await deliveriesTo(ctx, sound.id)).toMatchObject([
		{ state: "delivered" },
	]);
	expect(await deliveriesTo(ctx, broken.id)).toMatchObject([
		{ state: "pending", lastError: "secret_unreadable" },
	]);
});

it("a thousand outcomes for three endpoints make three thousand callbacks, each once", async () => {
	const organization = randomUUID();
	for (let i = 0; i < 3; i++)
		await addEndpoint(ctx, `${receiver.url}/${i}`, organization);
	const events = outcomeEvents(organization, 1_000);
	await takeIn(ctx, events.slice(0, 500));
	await takeIn(ctx, events.slice(500));
	await deliverAll(ctx);
	const seen = receiver.received.map(
		({ path, headers }) => `${path} ${headers["webhook-id"]}`,
	);
	expect(seen).toHaveLength(3_000);
	expect(new Set(seen).size).toBe(3_000);
	expect(receiver.connections()).toBeLessThanOrEqual(3 * 64);
});
