import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { rows, sms } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const send = (path: string, options: CallOptions = {}) =>
	call(world.baseUrl, path, options);

describe("a body", () => {
	test.each([
		["not JSON", { raw: "{" }, 400, "malformed_json"],
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
	])("%s is refused", async (_name, options, status, code) => {
		const response = await send("/sms/send", {
			method: "POST",
			apiKey,
			...options,
		});
		expect([response.status, response.body.error?.code]).toEqual([
			status,
			code,
		]);
		expect(response.headers.has("x-ratelimit-remaining")).toBe(true);
	});
});

describe.each(rows.filter((row) => row.method === "POST"))(
	"the body of $name",
	({ path, body }) => {
		test("is refused when it is too large", async () => {
			const raw = tooLarge(path);
			const response = await send(path, { method: "POST", apiKey, raw });
			expect([response.status, response.body.error?.code]).toEqual([
				413,
				"body_too_large",
			]);
		});

		test.each(["null", "[]", '"x"', "1"])(
			"is 400 when it is %s instead of an object",
			async (raw) => {
				const response = await send(path, { method: "POST", apiKey, raw });
				expect([response.status, response.body.error?.code]).toEqual([
					400,
					"validation_failed",
				]);
			},
		);

		test("with a field nobody knows is 400 and named", async () => {
			const response = await send(path, {
				method: "POST",
				apiKey,
				body: { ...Object(body), sendrId: 1 },
			});
			expect(response.body.error?.details).toEqual([
				{
					field: "sendrId",
					code: "unknown_field",
					message: "'sendrId' is not known here.",
				},
			]);
		});
	},
);

/** What takes lists of numbers takes more than a few kilobytes. */
const larger = new Map([
	["/campaigns", 4_300_000],
	["/campaigns/preview", 4_300_000],
	["/opt-outs/import", 1_100_000],
]);

function tooLarge(path: string): string {
	return `"${"x".repeat(larger.get(path) ?? 70_000)}"`;
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
		const response = await send("/sms/send", { method: "POST", apiKey, raw });
		expect(response.status).toBe(400);
		expect(response.text.length).toBeLessThan(10_000);
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
			priority: "urgent",
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
		"priority invalid_value",
		"extra unknown_field",
	]);
});

const NO_TIME = "'date_from' must be a time in RFC 3339 or a date YYYY-MM-DD.";

test.each<[path: string, body: object | undefined, message: string]>([
	["/whatsapp/messages", {}, "'type' is required."],
	["/whatsapp/messages", { type: "x" }, "'type' must be 'template' or 'text'."],
	["/contacts?limit=1&limit=2", undefined, "'limit' may be given only once."],
	["/contacts", { tags: 5 }, "'tags' must be an array or a string."],
	["/contacts", { tags: ["vip", 5] }, "'tags.1' must be a string."],
	[
		"/sms/send",
		{ to: "+33612345678", message: "Hi", send_at: "2030-01-01T08:00:00" },
		"'send_at' must be a time with its offset, like 2026-12-01T09:00:00Z or 2026-12-01T10:00:00+01:00.",
	],
	["/whatsapp/messages?date_from=2026-02-30", undefined, NO_TIME],
	["/whatsapp/messages?date_from=2026-02-30T00:00:00Z", undefined, NO_TIME],
	["/whatsapp/messages?date_from=2026-01-01T24:00:00Z", undefined, NO_TIME],
])("%s with %j is told: %s", async (path, body, message) => {
	const method = body === undefined ? "GET" : "POST";
	const response = await send(path, { method, apiKey, body });
	expect(response.status).toBe(400);
	const messages = response.body.error?.details.map((detail) => detail.message);
	expect(messages).toContain(message);
});

test.each([
	["half of a surrogate pair", "\ud83d", "invalid_characters"],
	["a NUL", "a\u0000b", "invalid_characters"],
	["1,601 characters", "x".repeat(1_601), "message_too_long"],
	["1,601 emoji", "😀".repeat(1_601), "message_too_long"],
	["nothing but white space", " \n\t\u00a0", "too_short"],
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
	["no_route", "to", 400, "validation_failed"],
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
		const response = await send("/sms/send", {
			method: "POST",
			apiKey,
			body: sms,
		});
		world.messaging.refusal = undefined;
		expect([response.status, response.body.error?.code]).toEqual([
			status,
			code,
		]);
		if (field !== "")
			expect(response.body.error?.details).toEqual([
				{ field, code: reason, message: "Why." },
			]);
		if (status === 503 || reason === "idempotency_key_in_use")
			expect(response.headers.get("retry-after")).toBe("1");
	},
);
