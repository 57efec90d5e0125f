import { connect, type Socket } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { hook } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const sms = { to: "+33612345678", message: "hello" };

const send = (
	apiKey: string,
	body: object = sms,
	headers: Record<string, string> = {},
) =>
	call(world.baseUrl, "/sms/send", { method: "POST", apiKey, body, headers });

test("the reply has the fields of the contract, in its order", async () => {
	const key = world.accounts.addKey();
	world.messaging.quota.set(key.organizationId, 10);
	const { status, text } = await send(key.apiKey);
	const id = world.messaging.messages.length;
	expect(status).toBe(202);
	const [, messageId] = /"messageId":"([0-9a-f-]{36})"/.exec(text) ?? [];
	expect(messageId).toBeDefined();
	expect(text).toBe(
		[
			'{"success":true,"queued":true,"status":"accepted","count":1,"remainingQuota":9,',
			`"provider":{"code":"main","messageId":"${messageId}","httpStatus":202}}`,
		].join(""),
	);
	expect(id).toBeGreaterThan(0);
});

test("messaging gets the fields as the client gave them", async () => {
	const defaultCountry = "FR";
	const { apiKey, organizationId } = world.accounts.addKey({ defaultCountry });
	await send(apiKey, {
		...sms,
		to: "0612345678",
		message: "\u{1f600} caf\u00e9",
		senderId: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
		senderName: "ACME",
		clientReference: "",
		priority: "otp",
	});
	expect(world.messaging.messages.at(-1)).toMatchObject({
		organizationId,
		defaultCountry,
		to: "0612345678",
		body: "\u{1f600} caf\u00e9",
		senderId: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
		senderName: "ACME",
		clientReference: "",
		priority: "otp",
		campaignId: "",
	});
});

test("concurrent requests travel together and each gets its own result", async () => {
	const keys = Array.from({ length: 4 }, () => world.accounts.addKey());
	for (const { organizationId } of keys)
		world.messaging.quota.set(organizationId, 40);
	const gate = Promise.withResolvers<void>();
	world.messaging.gate = gate.promise;
	const before = world.messaging.batchSizes.length;
	const responses = Promise.all(
		Array.from({ length: 200 }, (_, index) =>
			send(keys[index % 4]?.apiKey ?? "", { ...sms, message: `${index}` }),
		),
	);
	await eventually(() =>
		expect(world.messaging.batchSizes.length - before).toBe(1),
	);
	gate.resolve();
	const accepted = (await responses).filter(({ status }) => status === 202);
	const refused = (await responses).filter(({ status }) => status === 403);
	expect([accepted.length, refused.length]).toEqual([160, 40]);
	expect(refused[0]?.body.error?.code).toBe("quota_exhausted");
	const ids = accepted.map(({ body }) => Object(body.provider).messageId);
	expect(new Set(ids).size).toBe(160);
	const calls = world.messaging.batchSizes.slice(before);
	expect(Math.max(...calls)).toBeGreaterThan(1);
	expect(calls.reduce((sum, size) => sum + size)).toBe(200);
});

test("a message whose client hangs up while it waits in the gateway is not sent", async () => {
	const { apiKey } = world.accounts.addKey();
	await send(apiKey);
	const gate = Promise.withResolvers<void>();
	world.messaging.gate = gate.promise;
	const calls = world.messaging.batchSizes.length;
	const first = send(apiKey, { ...sms, message: "under way" });
	await eventually(() =>
		expect(world.messaging.batchSizes.length).toBe(calls + 1),
	);
	const impatient = postAndKeepOpen(apiKey, { ...sms, message: "given up" });
	await untilWaiting(1);
	impatient.resetAndDestroy();
	const patient = send(apiKey, { ...sms, message: "waited" });
	await untilWaiting(2);
	gate.resolve();
	expect([(await first).status, (await patient).status]).toEqual([202, 202]);
	const bodies = world.messaging.messages.slice(-2).map(({ body }) => body);
	expect(bodies).toEqual(["under way", "waited"]);
});

/** Sends a request; the response is left to whoever listens. */
function postAndKeepOpen(apiKey: string, body: object): Socket {
	const { hostname, port, pathname } = new URL(`${world.baseUrl}/sms/send`);
	const text = JSON.stringify(body);
	const socket = connect(Number(port), hostname);
	socket.write(
		[
			`POST ${pathname} HTTP/1.1`,
			`host: ${hostname}`,
			`authorization: Bearer ${apiKey}`,
			"content-type: application/json",
			`content-length: ${text.length}`,
			"",
			text,
		].join("\r\n"),
	);
	return socket;
}

async function untilWaiting(count: number): Promise<void> {
	const url = `http://127.0.0.1:${world.gateway.opsPort}/metrics`;
	await eventually(async () => {
		const text = await (await fetch(url)).text();
		expect(text).toContain(
			`gateway_sends_waiting{channel="sms",service="gateway"} ${count}`,
		);
	});
}

test("while messaging is down: 503 with Retry-After, and nothing is sent later", async () => {
	const { apiKey } = world.accounts.addKey();
	await send(apiKey);
	const before = world.messaging.messages.length;
	await world.stopService("messaging");
	const { status, headers, body } = await send(apiKey);
	await world.restartService("messaging");
	expect([status, body.error?.code]).toEqual([503, "service_unavailable"]);
	expect(headers.get("retry-after")).toBe("1");
	await eventually(async () => expect((await send(apiKey)).status).toBe(202));
	const sent = world.messaging.messages.slice(before);
	expect(new Set(sent.map(({ organizationId }) => organizationId)).size).toBe(
		1,
	);
});

test("a lost response is 503; the repeated request gets the message that was stored", async () => {
	const { apiKey } = world.accounts.addKey();
	const key = { "idempotency-key": "lost-1" };
	const before = world.messaging.messages.length;
	world.messaging.responsesToLose = 1;
	expect((await send(apiKey, sms, key)).status).toBe(503);
	expect(world.messaging.messages.length).toBe(before + 1);
	const again = await send(apiKey, sms, key);
	expect(again.status).toBe(202);
	expect(again.headers.get("idempotent-replayed")).toBe("true");
	expect(world.messaging.messages.length).toBe(before + 1);
});

test("a message is shown to its organization with the callbacks about it, and is unknown to every other", async () => {
	const { apiKey } = world.accounts.addKey();
	const { apiKey: foreign } = world.accounts.addKey();
	const body = { to: "+33612345678", message: "hi", clientReference: "o-1" };
	const options = { method: "POST", apiKey, body };
	const sent = await call(world.baseUrl, "/sms/send", options);
	const { messageId } = Object(sent.body.provider);
	const path = `/sms/messages/${messageId}`;
	const hooked = { ...options, body: hook };
	const { body: created } = await call(world.baseUrl, "/webhooks", hooked);
	const webhookEndpointId: string = Object(created.webhookEndpoint).id;
	const eventId = world.webhooks.addDelivery(webhookEndpointId, {
		messageId,
		status: "dead",
		lastHttpStatus: 503,
		attempts: 9,
	});
	world.webhooks.addDelivery(webhookEndpointId);
	const shown = await call(world.baseUrl, path, { apiKey });
	expect(shown.body.message).toEqual({
		id: messageId,
		recipient: "+33612345678",
		client_reference: "o-1",
		sender_id: expect.any(String),
		sender_name: "ACME",
		route: "main",
		status: "accepted",
		error: null,
		segments: 1,
		attempts: 0,
		possible_duplicate: false,
		campaign_id: null,
		created_at: expect.any(String),
		send_at: null,
		submitted_at: null,
		finished_at: null,
		callbacks: [
			expect.objectContaining({
				event_id: eventId,
				webhook_endpoint_id: webhookEndpointId,
				status: "failed",
				last_http_status: 503,
				attempts: 9,
			}),
		],
	});
	for (const [path_, apiKey_] of [
		[path, foreign] as const,
		["/sms/messages/x'", apiKey] as const,
	]) {
		const response = await call(world.baseUrl, path_, { apiKey: apiKey_ });
		expect([response.status, response.body.error?.code]).toEqual([
			404,
			"unknown_message",
		]);
	}
});

test("while webhooks is down a message is shown without its callbacks", async () => {
	const { apiKey } = world.accounts.addKey();
	const body = { to: "+33612345678", message: "hi" };
	const sent = await call(world.baseUrl, "/sms/send", {
		method: "POST",
		apiKey,
		body,
	});
	const { messageId } = Object(sent.body.provider);
	await world.stopService("webhooks");
	const shown = await call(world.baseUrl, `/sms/messages/${messageId}`, {
		apiKey,
	});
	await world.restartService("webhooks");
	expect(shown.status).toBe(200);
	expect(shown.body.message).toMatchObject({ id: messageId, callbacks: null });
});

test("a message with a time is passed on with it, and a message is canceled by its id", async () => {
	const { apiKey } = world.accounts.addKey();
	const send_at = "2030-01-01T00:00:00.000Z";
	const sent = await send(apiKey, { ...sms, send_at });
	expect(sent.status).toBe(202);
	const { sendAt } = world.messaging.messages.at(-1) ?? {};
	expect(sendAt && timestampDate(sendAt).toISOString()).toBe(send_at);
	const [, messageId] = /"messageId":"([0-9a-f-]{36})"/.exec(sent.text) ?? [];
	const path = `/sms/messages/${messageId}`;
	const canceled = await call(world.baseUrl, path, {
		method: "DELETE",
		apiKey,
	});
	expect(canceled.status).toBe(200);
	expect(canceled.body).toMatchObject({ message: { status: "canceled" } });
});
