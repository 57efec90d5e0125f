import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const post = (path: string, key: string, body: unknown, as = apiKey) =>
	call(world.baseUrl, path, {
		method: "POST",
		apiKey: as,
		body,
		headers: { "idempotency-key": key },
	});

describe.each([
	["/sms/send", 202, { to: "+33612345678", message: "hi" }, { message: "ho" }],
	["/sender-ids", 201, { value: "Replay" }, { value: "Other" }],
	[
		"/webhooks",
		202,
		{ url: "https://example.com/", subscribed_events: ["message.failed"] },
		{ url: "https://example.com/2" },
	],
])("POST %s", (path, status, body, change) => {
	test("a replayed key gets the same status and the same bytes, marked", async () => {
		const first = await post(path, `replay${path.replaceAll("/", ".")}`, body);
		const second = await post(path, `replay${path.replaceAll("/", ".")}`, body);
		expect([first.status, second.status]).toEqual([status, status]);
		expect(second.text).toBe(first.text);
		expect(first.headers.get("idempotent-replayed")).toBeNull();
		expect(second.headers.get("idempotent-replayed")).toBe("true");
		expect(second.headers.get("x-request-id")).not.toBe(
			first.headers.get("x-request-id"),
		);
	});

	test("the order of fields and the spaces between them do not matter", async () => {
		const shuffled = Object.fromEntries(Object.entries(body).toReversed());
		const replay = await call(world.baseUrl, path, {
			method: "POST",
			apiKey,
			raw: JSON.stringify(shuffled, null, 4),
			headers: { "idempotency-key": `replay${path.replaceAll("/", ".")}` },
		});
		expect(replay.headers.get("idempotent-replayed")).toBe("true");
	});

	test("the same key with another body is 409 idempotency_key_reused", async () => {
		const response = await post(path, `replay${path.replaceAll("/", ".")}`, {
			...body,
			...change,
		});
		expect([response.status, response.body.error?.code]).toEqual([
			409,
			"idempotency_key_reused",
		]);
	});

	test("another organization's key of the same name is another key", async () => {
		const other = world.accounts.addKey().apiKey;
		const response = await post(
			path,
			`replay${path.replaceAll("/", ".")}`,
			body,
			other,
		);
		expect(response.status).toBe(status);
		expect(response.headers.get("idempotent-replayed")).toBeNull();
	});

	test.each(["", "x".repeat(256), "two words", "a,b", "caf\u00e9"])(
		"the key %j is 400 invalid_idempotency_key",
		async (key) => {
			const response = await post(path, key, body);
			expect([response.status, response.body.error?.code]).toEqual([
				400,
				"invalid_idempotency_key",
			]);
		},
	);
});

test("the same key at another route is another request", async () => {
	await post("/sms/send", "shared", { to: "+33612345678", message: "x" });
	const fingerprints = world.messaging.messages
		.filter(({ idempotency }) => idempotency?.key === "shared")
		.map(({ idempotency }) => idempotency?.fingerprint.length);
	expect(fingerprints).toEqual([32]);
});

test("an error is not remembered: the key works once its cause is gone", async () => {
	const key = world.accounts.addKey();
	world.messaging.quota.set(key.organizationId, 0);
	const body = { to: "+33612345678", message: "x" };
	const refused = await post("/sms/send", "later", body, key.apiKey);
	expect(refused.body.error?.code).toBe("quota_exhausted");
	world.messaging.quota.set(key.organizationId, 5);
	const sent = await post("/sms/send", "later", body, key.apiKey);
	expect([sent.status, sent.body.remainingQuota]).toEqual([202, 4]);
	expect(sent.headers.get("idempotent-replayed")).toBeNull();
});

test("of two requests with one key the one that finds no quota gets the response to the one that took it", async () => {
	const { apiKey, organizationId } = world.accounts.addKey();
	const { messaging } = world;
	messaging.quota.set(organizationId, 0);
	const body = { to: "+33612345678", message: "x" };
	const calls = messaging.batchSizes.length;
	const late = post("/sms/send", "last-unit", body, apiKey);
	await eventually(() =>
		expect(messaging.batchSizes.length).toBeGreaterThan(calls),
	);
	messaging.quota.set(organizationId, 1);
	const first = await post("/sms/send", "last-unit", body, apiKey);
	const second = await late;
	expect([first.status, second.status]).toEqual([202, 202]);
	expect(second.text).toBe(first.text);
	expect(messaging.quota.get(organizationId)).toBe(0);
});
