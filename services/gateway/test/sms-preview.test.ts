import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());

const body = {
	to: "0612345678",
	message: "hello",
	senderName: "ACME",
	clientReference: "order-1042",
	priority: "otp",
};

const post = (
	path: string,
	apiKey: string,
	headers = {},
	sent: object = body,
) => call(world.baseUrl, path, { method: "POST", apiKey, body: sent, headers });

test("messaging gets the message that a send would give it, without the idempotency key", async () => {
	const { apiKey } = world.accounts.addKey({ defaultCountry: "FR" });
	const headers = { "idempotency-key": "preview-1" };
	await post("/sms/preview", apiKey, headers);
	expect(world.messaging.messages).toEqual([]);
	await post("/sms/send", apiKey);
	const [preview] = world.messaging.previews;
	expect(preview).toEqual(world.messaging.messages[0]);
	expect(preview?.idempotency).toBeUndefined();
});

test("a message that would be accepted has its parts, route, cost and quota", async () => {
	const { apiKey, organizationId } = world.accounts.addKey();
	world.messaging.quota.set(organizationId, 10);
	const { status, body: told } = await post("/sms/preview", apiKey);
	expect(status).toBe(200);
	expect(told).toEqual({
		success: true,
		accepted: true,
		httpStatus: 202,
		error: null,
		recipient: "+33612345678",
		sender: null,
		encoding: "gsm7",
		segments: 2,
		parts: [{ length: 153 }, { length: 7 }],
		foreignCharacters: { count: 0, characters: [] },
		plainText: null,
		provider: { code: "main" },
		routes: [
			{
				code: "main",
				share: 1,
				segmentCost: { amount: 0.045, currency: "EUR" },
			},
		],
		cost: { amount: 0.09, currency: "EUR" },
		send_at: null,
		quotaBefore: 10,
		remainingQuota: 9,
	});
});

test.each([
	["invalid_phone_number", "to"],
	["sender_not_approved", "senderId"],
	["quota_exhausted", ""],
	["service_unavailable", ""],
	["a_reason_that_nobody_knows", ""],
])("%s is told as the send tells it", async (reason, field) => {
	const { apiKey } = world.accounts.addKey();
	world.messaging.refusal = { reason, field, message: "It is refused." };
	const preview = await post("/sms/preview", apiKey);
	const send = await post("/sms/send", apiKey);
	world.messaging.refusal = undefined;
	expect(preview.status).toBe(200);
	expect(preview.body).toMatchObject({
		success: true,
		accepted: false,
		httpStatus: send.status,
		error: send.body.error,
		remainingQuota: null,
	});
});

test("a body without the form of a send is refused as the send refuses it", async () => {
	const { apiKey } = world.accounts.addKey();
	for (const sent of [
		{ to: body.to },
		{ ...body, message: "" },
		{ ...body, x: 1 },
	]) {
		const preview = await post("/sms/preview", apiKey, {}, sent);
		const send = await post("/sms/send", apiKey, {}, sent);
		expect(preview.status).toBe(400);
		expect(preview.body.error).toEqual(send.body.error);
	}
});
