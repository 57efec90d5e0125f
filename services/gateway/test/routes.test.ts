import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import manifest from "../../../package.json" with { type: "json" };
import { type CallOptions, call } from "./call.ts";
import { hook } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;
let otherKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
	otherKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

describe("public routes", () => {
	test.each(["/", "/health", "/openapi.json", "/docs", "/?x=1"])(
		"GET %s needs no key and counts against no limit",
		async (path) => {
			const response = await send(path);
			expect(response.status).toBe(200);
			expect(response.headers.has("x-ratelimit-limit")).toBe(false);
		},
	);

	test("GET / names the version, the docs and the document, which are there", async () => {
		const { body } = await send("/");
		expect(body).toEqual({
			name: "Airtower",
			version: "v1",
			docs: "/api/v1/docs",
			openapi: "/api/v1/openapi.json",
		});
		const origin = new URL(world.baseUrl).origin;
		for (const path of [String(body.docs), String(body.openapi)])
			expect((await fetch(origin + path)).status).toBe(200);
	});

	test("the host alone leads to the docs", async () => {
		const { origin } = new URL(world.baseUrl);
		const response = await fetch(origin, { redirect: "manual" });
		expect(response.status).toBe(302);
		expect(response.headers.get("location")).toBe("/api/v1/docs");
		expect((await fetch(origin)).headers.get("content-type")).toMatch(/html/);
	});

	test("the product, its document and its health are of one version", async () => {
		const { version } = manifest;
		const document = (await send("/openapi.json")).text;
		expect(JSON.parse(document).info.version).toBe(version);
		const health = (await send("/health")).text;
		expect(JSON.parse(health).version).toBe(version);
	});

	test("the base path responds with and without a slash at its end", async () => {
		expect((await send("")).status).toBe(200);
		expect((await send("/")).status).toBe(200);
	});
});

describe("unknown routes", () => {
	test.each([
		"/nothing",
		"/sms",
		"/sms/send/",
		"/webhooks/a/b",
		"/../../etc/passwd",
		"/docs/",
	])("%s is 404, with or without a body", async (path) => {
		expect((await send(path)).body.error?.code).toBe("route_not_found");
		const response = await send(path, { method: "POST", raw: "{" });
		expect([response.status, response.body.error?.code]).toEqual([
			404,
			"route_not_found",
		]);
	});

	test.each([
		["GET", "/sms/send", "OPTIONS, POST"],
		["HEAD", "/sms/send", "OPTIONS, POST"],
		["PUT", "/sender-ids", "GET, HEAD, OPTIONS, POST"],
		["PATCH", "/webhooks", "GET, HEAD, OPTIONS, POST"],
		["GET", "/webhooks/x", "DELETE, OPTIONS, PATCH"],
		["POST", "/health", "GET, HEAD, OPTIONS"],
		["DELETE", "", "GET, HEAD, OPTIONS"],
	])("%s %s is 405 with Allow", async (method, path, allow) => {
		const response = await send(path, { method, apiKey });
		expect(response.status).toBe(405);
		expect(response.headers.get("allow")).toBe(allow);
		if (method !== "HEAD")
			expect(response.body.error?.code).toBe("method_not_allowed");
	});

	test("OPTIONS is 204 with Allow and needs no key", async () => {
		const response = await send("/webhooks", { method: "OPTIONS" });
		expect(response.status).toBe(204);
		expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
	});

	test("HEAD responds as GET does, without a body, for one unit of the limit", async () => {
		const { apiKey } = world.accounts.addKey({ rateLimit: 100 });
		const get = await send("/sender-ids", { apiKey });
		const head = await send("/sender-ids", { apiKey, method: "HEAD" });
		expect([head.status, head.text]).toEqual([200, ""]);
		expect(head.headers.get("content-length")).toBe(String(get.text.length));
		expect(head.headers.get("x-ratelimit-remaining")).toBe("98");
	});
});

describe("sender IDs", () => {
	test("a requested one is listed, pending; the same again is 409", async () => {
		const { apiKey } = world.accounts.addKey();
		const options = { method: "POST", apiKey, body: { value: "Shop 24" } };
		const { status, body } = await send("/sender-ids", options);
		expect(status).toBe(201);
		expect(body.senderId).toMatchObject({
			value: "Shop 24",
			status: "pending",
			is_default: false,
			rejection_reason: null,
			decided_at: null,
		});
		const list = await send("/sender-ids", { apiKey });
		expect(list.body.senderIds).toEqual([body.senderId]);
		const again = await send("/sender-ids", options);
		expect([again.status, again.body.error?.code]).toEqual([
			409,
			"sender_id_exists",
		]);
	});

	test.each([
		"ab",
		"a".repeat(12),
		"12",
		"1".repeat(16),
		" abc",
		"abc ",
		"a!b",
		"--.",
		"caf\u00e9",
	])("the value %j is refused", async (value) => {
		const { status, body } = await send("/sender-ids", {
			method: "POST",
			apiKey,
			body: { value },
		});
		expect(status).toBe(400);
		expect(body.error?.details).toMatchObject([
			{ field: "value", code: "invalid_sender_id" },
		]);
	});
});

describe("webhooks", () => {
	test("the secret is shown at creation and never again", async () => {
		const { apiKey } = world.accounts.addKey();
		const created = await send("/webhooks", {
			method: "POST",
			apiKey,
			body: hook,
		});
		expect(created.status).toBe(202);
		expect(created.body.signingSecret).toMatch(/^at_whsec_/);
		const list = await send("/webhooks", { apiKey });
		expect(list.text).not.toContain("at_whsec_");
		expect(list.body).toEqual({
			success: true,
			webhookEndpoints: [created.body.webhookEndpoint],
			nextCursor: null,
		});
	});

	test("a deleted one is gone; another organization's is as unknown as any", async () => {
		const { body } = await send("/webhooks", {
			method: "POST",
			apiKey,
			body: hook,
		});
		const { id } = Object(body.webhookEndpoint);
		const remove = (apiKey: string, path: string) =>
			send(path, { method: "DELETE", apiKey });
		const foreign = await remove(otherKey, `/webhooks/${id}`);
		const unknown = await remove(otherKey, `/webhooks/${uuidv7()}`);
		const malformed = await remove(otherKey, "/webhooks/1'--");
		const long = await remove(otherKey, `/webhooks/${"x".repeat(499)}`);
		for (const { status, body } of [foreign, unknown, malformed, long]) {
			expect(status).toBe(404);
			expect(body.error).toEqual({
				...foreign.body.error,
				message: expect.any(String),
			});
		}
		const removed = await remove(apiKey, `/webhooks/${id}`);
		expect([removed.status, removed.text]).toEqual([200, '{"success":true}']);
		expect((await remove(apiKey, `/webhooks/${id}`)).status).toBe(404);
	});

	test("a DELETE that announces JSON and sends none is carried out", async () => {
		const response = await send(`/webhooks/${uuidv7()}`, {
			method: "DELETE",
			apiKey,
			headers: { "content-type": "application/json" },
		});
		expect(response.body.error?.code).toBe("unknown_webhook_endpoint");
	});

	test.each([
		["url", "ftp://example.com", "invalid_webhook_url"],
		["url", "not a url", "invalid_webhook_url"],
		["url", "https://127.0.0.1/", "invalid_webhook_url"],
		["subscribed_events", [], "too_short"],
		[
			"subscribed_events",
			["message.delivered", "message.delivered"],
			"duplicate",
		],
		["subscribed_events.0", ["message.read"], "invalid_value"],
		["subscribed_events", "message.failed", "invalid_type"],
	])("%s %j is 400 %s", async (field, value, code) => {
		const body = { ...hook, [field.split(".")[0] ?? ""]: value };
		const response = await send("/webhooks", { method: "POST", apiKey, body });
		expect(response.status).toBe(400);
		expect(response.body.error?.details).toMatchObject([{ field, code }]);
	});

	test("the eleventh is 409 webhook_limit_reached", async () => {
		const { apiKey } = world.accounts.addKey();
		const create = () =>
			send("/webhooks", { method: "POST", apiKey, body: hook });
		for (let count = 0; count < 10; count++)
			expect((await create()).status).toBe(202);
		const { status, body } = await create();
		expect([status, body.error?.code]).toEqual([409, "webhook_limit_reached"]);
	});
});
