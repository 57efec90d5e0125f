import { uuidv7 } from "@airtower/platform/runtime/ids";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { allScopes } from "../src/domain/access.ts";
import { type CallOptions, call } from "./call.ts";
import { randomApiKey } from "./random-api-key.ts";
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

const sms = { to: "+33612345678", message: "hello" };
const hook = {
	url: "https://example.com/hook",
	subscribed_events: ["message.delivered"],
};

const whatsapp = {
	type: "template",
	to: "+33612345678",
	phoneNumberId: uuidv7(),
	template: {
		name: "order_shipped",
		language: "en_US",
		category: "utility",
		parameters: ["1042"],
	},
};
const contact = { name: "Ada", phone: "+33612345678" };
const tagCampaign = {
	name: "Spring",
	message_template: "Hello {{name|there}}",
	audience_tags: ["gold"],
};
const listCampaign = {
	name: "Spring",
	content: "Hello",
	recipients: ["+33612345678"],
};

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

describe("public routes", () => {
	test.each(["/", "/health", "/openapi.json", "/docs", "/?x=1"])(
		"GET %s needs no key and counts against no limit",
		async (path) => {
			const answer = await send(path);
			expect(answer.status).toBe(200);
			expect(answer.headers.has("x-ratelimit-limit")).toBe(false);
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

	test("the base path answers with and without a slash at its end", async () => {
		expect((await send("")).status).toBe(200);
		expect((await send("/")).status).toBe(200);
	});
});

interface Row {
	readonly name: string;
	readonly method: string;
	readonly path: string;
	readonly body: unknown;
	readonly scope: string;
	readonly success: number;
}

const row = (
	name: string,
	request: string,
	scope: string,
	success: number,
	body?: unknown,
): Row => {
	const [method = "", path = ""] = request.split(" ");
	return { name, method, path, scope, success, body };
};

const rows: readonly Row[] = [
	row("send an SMS", "POST /sms/send", "sms:send", 202, sms),
	row("list WhatsApp messages", "GET /whatsapp/messages", "whatsapp:read", 200),
	row(
		"send a WhatsApp message",
		"POST /whatsapp/messages",
		"whatsapp:send",
		202,
		whatsapp,
	),
	row("list templates", "GET /whatsapp/templates", "whatsapp:read", 200),
	row(
		"list conversations",
		"GET /whatsapp/conversations",
		"whatsapp:read",
		200,
	),
	row("list the usage", "GET /usage", "account:read", 200),
	row("list contacts", "GET /contacts", "contacts:read", 200),
	row("create a contact", "POST /contacts", "contacts:write", 200, contact),
	row("delete a contact", "DELETE /contacts?id=77", "contacts:write", 404),
	row("list campaigns", "GET /campaigns", "campaigns:read", 200),
	row(
		"create a campaign by tags",
		"POST /campaigns",
		"campaigns:write",
		201,
		tagCampaign,
	),
	row(
		"create a campaign by numbers",
		"POST /campaigns",
		"campaigns:write",
		201,
		listCampaign,
	),
	row("list sender IDs", "GET /sender-ids", "sender_ids:read", 200),
	row("request a sender ID", "POST /sender-ids", "sender_ids:write", 201, {
		value: "ACME",
	}),
	row("list API keys", "GET /api-keys", "api_keys:read", 200),
	row("create an API key", "POST /api-keys", "api_keys:write", 200, {
		name: "billing",
	}),
	row(
		"revoke an API key",
		`DELETE /api-keys/${uuidv7()}`,
		"api_keys:write",
		404,
	),
	row("list webhooks", "GET /webhooks", "webhooks:read", 200),
	row("create a webhook", "POST /webhooks", "webhooks:write", 202, hook),
	row(
		"delete a webhook",
		`DELETE /webhooks/${uuidv7()}`,
		"webhooks:write",
		404,
	),
];

describe.each(rows)("$name", ({ method, path, body, scope, success }) => {
	const options = () => ({ method, ...(body === undefined ? {} : { body }) });

	test(`answers ${success}, with rate limit headers`, async () => {
		const answer = await send(path, { ...options(), apiKey });
		expect(answer.status).toBe(success);
		expect(answer.headers.get("x-ratelimit-limit")).toBe("100000");
	});

	test("no key is 401 missing_api_key", async () => {
		const { status, body } = await send(path, options());
		expect([status, body.error?.code]).toEqual([401, "missing_api_key"]);
	});

	test("an unknown key is 401 invalid_api_key", async () => {
		const apiKey = randomApiKey();
		const { status, body } = await send(path, { ...options(), apiKey });
		expect([status, body.error?.code]).toEqual([401, "invalid_api_key"]);
	});

	test("a key with every scope but the right one is 403", async () => {
		const scopes = allScopes.filter((one) => one !== scope);
		const { apiKey } = world.accounts.addKey({ scopes });
		const answer = await send(path, { ...options(), apiKey });
		expect([answer.status, answer.body.error?.code]).toEqual([
			403,
			"insufficient_scope",
		]);
		expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
	});

	test.each(["suspended", "closed"])(
		"a %s organization is 403",
		async (organizationState) => {
			const { apiKey } = world.accounts.addKey({ organizationState });
			const answer = await send(path, { ...options(), apiKey });
			expect([answer.status, answer.body.error?.code]).toEqual([
				403,
				"organization_suspended",
			]);
			expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
		},
	);

	test("an unknown query parameter is 400 and named", async () => {
		const mark = path.includes("?") ? "&" : "?";
		const answer = await send(`${path}${mark}limt=1`, { ...options(), apiKey });
		expect(answer.status).toBe(400);
		expect(answer.body.error).toMatchObject({
			code: "validation_failed",
			details: [{ field: "limt", code: "unknown_parameter" }],
		});
	});

	test("beyond the limit it is 429 with Retry-After", async () => {
		const { apiKey } = world.accounts.addKey({ rateLimit: 1 });
		const answers = [];
		// The end of a window may lie between two requests, not between three.
		for (let count = 0; count < 3; count++)
			answers.push(await send(path, { ...options(), apiKey }));
		const answer = answers.find(({ status }) => status === 429);
		if (answer === undefined) return expect.fail("none was refused");
		expect(answer.body.error?.code).toBe("rate_limited");
		expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
		expect(answer.headers.get("x-ratelimit-remaining")).toBe("0");
	});
});

describe.each(rows.filter((row) => row.method === "POST"))(
	"the body of $name",
	({ path, body }) => {
		test.each([
			["not JSON", { raw: "{" }, 400, "malformed_json"],
			[
				"with a poisoned prototype",
				{ raw: '{"__proto__":1}' },
				400,
				"malformed_json",
			],
			[
				"not UTF-8",
				{ raw: Uint8Array.from(Buffer.from('"R\xe9serve"', "latin1")) },
				400,
				"malformed_json",
			],
			["empty", { raw: "" }, 400, "empty_body"],
			["absent", {}, 400, "empty_body"],
			["null", { raw: "null" }, 400, "validation_failed"],
			["an array", { raw: "[]" }, 400, "validation_failed"],
			["a string", { raw: '"x"' }, 400, "validation_failed"],
			[
				"of another type",
				{ raw: "a=1", headers: { "content-type": "text/plain" } },
				415,
				"unsupported_media_type",
			],
			[
				"of a broken type",
				{ raw: "{}", headers: { "content-type": ";;" } },
				415,
				"unsupported_media_type",
			],
			["too large", { raw: tooLarge(path) }, 413, "body_too_large"],
		])("%s is refused", async (_name, options, status, code) => {
			const answer = await send(path, { method: "POST", apiKey, ...options });
			expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
			expect(answer.headers.has("x-ratelimit-remaining")).toBe(true);
		});

		test("with a field nobody knows is 400 and named", async () => {
			const answer = await send(path, {
				method: "POST",
				apiKey,
				body: { ...Object(body), sendrId: 1 },
			});
			expect(answer.body.error?.details).toEqual([
				{
					field: "sendrId",
					code: "unknown_field",
					message: "'sendrId' is not known here.",
				},
			]);
		});
	},
);

/** Only campaigns take more than a few kilobytes: they may list their recipients. */
function tooLarge(path: string): string {
	return `"${"x".repeat(path === "/campaigns" ? 4_300_000 : 70_000)}"`;
}

test("thousands of unknown fields, or one of endless length or depth, are a short 400", async () => {
	const many = Object.fromEntries(
		Array.from({ length: 5_000 }, (_, index) => [`f${index}`, 1]),
	);
	const deep = `{"to":${"[".repeat(30_000)}${"]".repeat(30_000)}}`;
	for (const raw of [
		JSON.stringify(many),
		JSON.stringify({ ["x".repeat(60_000)]: 1 }),
		deep,
	]) {
		const answer = await send("/sms/send", { method: "POST", apiKey, raw });
		expect(answer.status).toBe(400);
		expect(answer.text.length).toBeLessThan(10_000);
	}
});

test("all bad fields are named at once", async () => {
	const { body } = await send("/sms/send", {
		method: "POST",
		apiKey,
		body: {
			message: "",
			senderId: "x",
			senderName: 5,
			clientReference: "r".repeat(129),
			extra: true,
		},
	});
	expect(
		body.error?.details.map(({ field, code }) => `${field} ${code}`),
	).toEqual([
		"to required",
		"message too_short",
		"senderId invalid_format",
		"senderName invalid_type",
		"clientReference too_long",
		"extra unknown_field",
	]);
});

const NO_TIME = "'date_from' must be a time in RFC 3339 or a date YYYY-MM-DD.";

test.each<[path: string, body: object | undefined, message: string]>([
	["/whatsapp/messages", {}, "'type' is required."],
	["/whatsapp/messages", { type: "x" }, "'type' must be 'template' or 'text'."],
	["/contacts?limit=1&limit=2", undefined, "'limit' may be given only once."],
	["/whatsapp/messages?date_from=2026-02-30", undefined, NO_TIME],
	["/whatsapp/messages?date_from=2026-02-30T00:00:00Z", undefined, NO_TIME],
	["/whatsapp/messages?date_from=2026-01-01T24:00:00Z", undefined, NO_TIME],
])("%s with %j is told: %s", async (path, body, message) => {
	const method = body === undefined ? "GET" : "POST";
	const answer = await send(path, { method, apiKey, body });
	expect(answer.status).toBe(400);
	const messages = answer.body.error?.details.map((detail) => detail.message);
	expect(messages).toContain(message);
});

test.each([
	["half of a surrogate pair", "\ud83d", "invalid_characters"],
	["a NUL", "a\u0000b", "invalid_characters"],
	["1,601 characters", "x".repeat(1_601), "message_too_long"],
])("a message with %s is refused", async (_name, message, code) => {
	const { status, body } = await send("/sms/send", {
		method: "POST",
		apiKey,
		body: { ...sms, message },
	});
	expect(status).toBe(400);
	expect(body.error?.details).toMatchObject([{ field: "message", code }]);
});

test.each([
	["sender_required", "senderId", 400, "sender_required"],
	["unknown_sender", "senderId", 400, "unknown_sender"],
	["sender_not_approved", "senderId", 403, "sender_not_approved"],
	["quota_exhausted", "", 403, "quota_exhausted"],
	["organization_suspended", "", 403, "organization_suspended"],
	["invalid_phone_number", "to", 400, "validation_failed"],
	["message_too_long", "message", 400, "validation_failed"],
	["idempotency_key_reused", "", 409, "idempotency_key_reused"],
	["idempotency_key_in_use", "", 409, "idempotency_key_in_use"],
	["service_unavailable", "", 503, "service_unavailable"],
	["internal_error", "", 500, "internal_error"],
	["something_new", "", 500, "internal_error"],
])(
	"messaging's refusal %s of field %j becomes %i %s",
	async (reason, field, status, code) => {
		world.messaging.refusal = { reason, field, message: "Why." };
		const answer = await send("/sms/send", {
			method: "POST",
			apiKey,
			body: sms,
		});
		world.messaging.refusal = undefined;
		expect([answer.status, answer.body.error?.code]).toEqual([status, code]);
		if (field !== "")
			expect(answer.body.error?.details).toEqual([
				{ field, code: reason, message: "Why." },
			]);
		if (status === 503 || reason === "idempotency_key_in_use")
			expect(answer.headers.get("retry-after")).toBe("1");
	},
);

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
		const answer = await send(path, { method: "POST", raw: "{" });
		expect([answer.status, answer.body.error?.code]).toEqual([
			404,
			"route_not_found",
		]);
	});

	test.each([
		["GET", "/sms/send", "OPTIONS, POST"],
		["HEAD", "/sms/send", "OPTIONS, POST"],
		["PUT", "/sender-ids", "GET, HEAD, OPTIONS, POST"],
		["PATCH", "/webhooks", "GET, HEAD, OPTIONS, POST"],
		["GET", "/webhooks/x", "DELETE, OPTIONS"],
		["POST", "/health", "GET, HEAD, OPTIONS"],
		["DELETE", "", "GET, HEAD, OPTIONS"],
	])("%s %s is 405 with Allow", async (method, path, allow) => {
		const answer = await send(path, { method, apiKey });
		expect(answer.status).toBe(405);
		expect(answer.headers.get("allow")).toBe(allow);
		if (method !== "HEAD")
			expect(answer.body.error?.code).toBe("method_not_allowed");
	});

	test("OPTIONS is 204 with Allow and needs no key", async () => {
		const answer = await send("/webhooks", { method: "OPTIONS" });
		expect(answer.status).toBe(204);
		expect(answer.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
	});

	test("HEAD answers as GET does, without a body, for one unit of the limit", async () => {
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
		const answer = await send(`/webhooks/${uuidv7()}`, {
			method: "DELETE",
			apiKey,
			headers: { "content-type": "application/json" },
		});
		expect(answer.body.error?.code).toBe("unknown_webhook_endpoint");
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
		const answer = await send("/webhooks", { method: "POST", apiKey, body });
		expect(answer.status).toBe(400);
		expect(answer.body.error?.details).toMatchObject([{ field, code }]);
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
