import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { call } from "./call.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey({ rateLimit: 1_000_000 }).apiKey;
});
afterAll(() => world.close());

const RUNS = { numRuns: 300 };
const TIMEOUT_MS = 60_000;

/** Any text, half surrogates and NUL included. */
const anyText = fc.string({ unit: "binary", maxLength: 200 });
const anyValue = fc.oneof(
	anyText,
	fc.jsonValue(),
	fc.constantFrom("", "\u0000", "\ud800", 1e308, -0, null, [], {}),
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
	["/sender-ids", { value: "ACME" }],
	[
		"/webhooks",
		{
			url: "https://example.com/hook",
			subscribed_events: ["message.delivered", "message.failed"],
		},
	],
])(
	"POST %s answers any JSON without a 5xx",
	async (path, valid) => {
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
	},
	TIMEOUT_MS,
);

test(
	"POST answers any bytes without a 5xx",
	async () => {
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
	},
	TIMEOUT_MS,
);

test(
	"any path and query are answered without a 5xx",
	async () => {
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
						pair
							.map((text) => encodeURIComponent(text.toWellFormed()))
							.join("="),
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
	},
	TIMEOUT_MS,
);

test(
	"any value of any header is answered without a 5xx",
	async () => {
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
	},
	TIMEOUT_MS,
);
