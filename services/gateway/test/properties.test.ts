import { readFileSync } from "node:fs";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { OpenApiDocument } from "../src/openapi/document.ts";
import { anyText, RUNS } from "./arbitraries.ts";
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
	["GET", "/account/audit"],
	["GET", "/usage"],
	["GET", "/contacts"],
	["DELETE", "/contacts"],
	["GET", "/opt-outs"],
	["GET", "/opt-outs/export"],
	["GET", "/quiet-hours"],
	["DELETE", "/quiet-hours"],
	["GET", "/campaigns"],
	["GET", "/sender-ids"],
	["GET", "/api-keys"],
	["GET", "/webhooks"],
])(
	"%s %s responds to any value of its parameters without a 5xx",
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

test("any path and query get a response without a 5xx", async () => {
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

test("any value of any header gets a response without a 5xx", async () => {
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
