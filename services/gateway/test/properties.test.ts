import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey({ rateLimit: 1_000_000 }).apiKey;
});
afterAll(() => world.close());

const document: OpenApiDocument = JSON.parse(
	readFileSync(new URL("../openapi.json", import.meta.url), "utf8"),
);

const RUNS = { numRuns: 100 };

/** Any text, half surrogates and NUL included. */
const anyText = fc.string({ unit: "binary", maxLength: 200 });
const anyValue = fc.oneof(
	anyText,
	fc.jsonValue(),
	fc.constantFrom("", "\u0000", "\ud800", 1e308, -0, null, [], {}),
	fc.constantFrom(
		"0000-01-01T00:00:00Z",
		"9999-12-31T23:59:59-14:00",
		"2030-01-01T00:00:00.999999999+14:00",
	),
);

/** A body that often has the right fields, with right and wrong values. */
function bodies(valid: Record<string, unknown>) {
	const fields = Object.entries(valid).map(
		([name, value]) =>
			[
				name,
				fc.oneof({ weight: 3, arbitrary: fc.constant(value) }, anyValue),
			] as const,
	);
	const known = fc.record(Object.fromEntries(fields), { requiredKeys: [] });
	const extra = fc.dictionary(anyText, anyValue, { maxKeys: 2 });
	return fc.oneof(
		{ weight: 5, arbitrary: known },
		{
			weight: 2,
			arbitrary: fc
				.tuple(known, extra)
				.map(([one, two]) => ({ ...two, ...one })),
		},
		anyValue,
	);
}

test.each([
	[
		"/sms/send",
		{
			to: "+33612345678",
			message: "hello",
			senderId: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
			senderName: "ACME",
			clientReference: "ref",
		},
	],
	[
		"/whatsapp/messages",
		{
			type: "template",
			to: "+33612345678",
			phoneNumberId: "0199b0a7-3e4f-7051-8c6d-7e8f9a0b1c2d",
			template: {
				name: "order_shipped",
				language: "en_US",
				category: "utility",
				parameters: ["1042"],
			},
			text: { body: "hello" },
			clientReference: "ref",
		},
	],
	[
		"/contacts",
		{
			name: "Ada",
			phone: "+33612345678",
			email: "ada@example.com",
			tags: ["gold"],
		},
	],
	[
		"/campaigns",
		{
			name: "Spring",
			message_template: "Hello {{name}}",
			scheduled_at: "2030-01-01T00:00:00Z",
			sender_id: "0199b0a1-0d4e-7a52-8c77-61f2b7a9d3e0",
			audience_tags: ["gold"],
			audience_tag_match_mode: "all",
		},
	],
	[
		"/campaigns",
		{
			name: "Spring",
			content: "Hello {{name}}",
			scheduledAt: "2030-01-01T00:00:00Z",
			senderName: "ACME",
			recipients: ["+33612345678"],
		},
	],
	["/sender-ids", { value: "ACME" }],
	[
		"/api-keys",
		{
			name: "billing",
			scopes: ["sms:send"],
			expires_at: "2030-01-01T00:00:00Z",
		},
	],
	[
		"/webhooks",
		{
			url: "https://example.com/hook",
			subscribed_events: ["message.delivered", "message.failed"],
		},
	],
])("POST %s answers any JSON without a 5xx", async (path, valid) => {
	await fc.assert(
		fc.asyncProperty(bodies(valid), async (body) => {
			const { status } = await call(world.baseUrl, path, {
				method: "POST",
				apiKey,
				body,
			});
			expect(status).toBeLessThan(500);
		}),
		RUNS,
	);
});

test("POST answers any bytes without a 5xx", async () => {
	await fc.assert(
		fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
			const response = await fetch(`${world.baseUrl}/sms/send`, {
				method: "POST",
				headers: { "x-api-key": apiKey, "content-type": "application/json" },
				body: bytes,
			});
			expect(response.status).toBe(400);
			await response.arrayBuffer();
		}),
		RUNS,
	);
});

/** Values that filters and limits take or nearly take. */
const queryValue = fc.oneof(
	anyText,
	fc.constantFrom(
		"",
		"1",
		"200",
		"999999999999999",
		"accepted",
		"approved",
		"open",
		"utility",
		"+33612345678",
		"2026-02-28",
		"2026-02-30",
		"0000-01-01",
		"9999-12-31T23:59:59.999999999Z",
		"2026-01-01T00:00:00+14:00",
		"2026-06-30T23:59:60Z",
	),
);

test.each([
	["GET", "/whatsapp/messages"],
	["GET", "/whatsapp/templates"],
	["GET", "/whatsapp/conversations"],
	["GET", "/account"],
	["GET", "/usage"],
	["GET", "/contacts"],
	["DELETE", "/contacts"],
	["GET", "/campaigns"],
	["GET", "/sender-ids"],
	["GET", "/api-keys"],
	["GET", "/webhooks"],
])(
	"%s %s answers any value of its parameters without a 5xx",
	async (method, path) => {
		const names = queryNames(path, method);
		const query = fc.dictionary(
			fc.oneof(
				{ weight: 5, arbitrary: fc.constantFrom(...names) },
				{ weight: 1, arbitrary: anyText },
			),
			queryValue,
			{ maxKeys: 3 },
		);
		await fc.assert(
			fc.asyncProperty(query, async (query) => {
				const text = Object.entries(query)
					.map((pair) =>
						pair
							.map((text) => encodeURIComponent(text.toWellFormed()))
							.join("="),
					)
					.join("&");
				const { status } = await call(world.baseUrl, `${path}?${text}`, {
					method,
					apiKey,
				});
				expect(status).toBeLessThan(500);
			}),
			RUNS,
		);
	},
);

/** The query parameters that the document gives an operation. */
function queryNames(path: string, method: string): string[] {
	const operation = document.paths[path]?.[method.toLowerCase()];
	const names = Array.from(operation?.parameters ?? [], Object)
		.filter((parameter) => parameter.in === "query")
		.map((parameter) => String(parameter.name));
	return names.length === 0 ? ["limit"] : names;
}

test("any path and query are answered without a 5xx", async () => {
	const segment = fc.oneof(
		anyText.map((text) => encodeURIComponent(text.toWellFormed())),
		fc.constantFrom("webhooks", "sender-ids", "sms", "..", "%2e%2e", "%00"),
	);
	const query = fc.dictionary(
		fc.oneof(fc.constantFrom("limit", "cursor"), anyText),
		anyText,
		{ maxKeys: 3 },
	);
	await fc.assert(
		fc.asyncProperty(
			fc.array(segment, { maxLength: 3 }),
			query,
			fc.constantFrom("GET", "DELETE", "POST", "PUT"),
			async (segments, query, method) => {
				const entries = Object.entries(query).map((pair) =>
					pair.map((text) => encodeURIComponent(text.toWellFormed())).join("="),
				);
				const response = await fetch(
					`${world.baseUrl}/${segments.join("/")}?${entries.join("&")}`,
					{ method, headers: { "x-api-key": apiKey } },
				);
				expect(response.status).toBeLessThan(500);
				expect(response.headers.get("x-request-id")).not.toBeNull();
				await response.arrayBuffer();
			},
		),
		RUNS,
	);
});

test("any value of any header is answered without a 5xx", async () => {
	const value = fc
		.string({
			unit: fc
				.integer({ min: 0x20, max: 0xff })
				.filter((code) => code !== 0x7f)
				.map((code) => String.fromCharCode(code)),
			maxLength: 300,
		})
		.map((text) => text.trim());
	await fc.assert(
		fc.asyncProperty(
			fc.constantFrom(
				"authorization",
				"x-api-key",
				"idempotency-key",
				"x-request-id",
				"content-type",
				"content-encoding",
				"accept",
				"x-forwarded-for",
				"host",
			),
			value,
			async (name, text) => {
				const response = await fetch(`${world.baseUrl}/sender-ids`, {
					method: "POST",
					headers: {
						"x-api-key": apiKey,
						"content-type": "application/json",
						[name]: text,
					},
					body: JSON.stringify({ value: "ACME" }),
				});
				expect(response.status).toBeLessThan(500);
				await response.arrayBuffer();
			},
		),
		RUNS,
	);
});
