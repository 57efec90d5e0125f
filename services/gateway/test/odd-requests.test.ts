import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type CallOptions, call } from "./call.ts";
import { exchange, statusesOf } from "./raw.ts";
import { sms } from "./rows.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const post = (path: string, options: CallOptions) =>
	call(world.baseUrl, path, { method: "POST", apiKey, ...options });

const template = '"name":"x","language":"en","category":"utility"';

test.each([
	["/sms/send", '{"__proto__":1}', "__proto__"],
	["/sms/send", '{"\\u005f_proto__":{"to":"+33612345678"}}', "__proto__"],
	["/sms/send", '{"constructor":{"prototype":{}}}', "constructor"],
	["/sms/send", '{"toString":1}', "toString"],
	["/campaigns", '{"content":"x","constructor":1}', "constructor"],
	[
		"/whatsapp/messages",
		`{"type":"template","template":{${template},"__proto__":1}}`,
		"template.__proto__",
	],
])("POST %s with %s names an unknown field", async (path, raw, field) => {
	const { status, body } = await post(path, { raw });
	expect([status, body.error?.code]).toEqual([400, "validation_failed"]);
	expect(body.error?.details).toContainEqual({
		field,
		code: "unknown_field",
		message: expect.stringContaining("is not known here."),
	});
});

test("a body with a Content-Encoding is 415; identity is none", async () => {
	const packed = gzipSync(JSON.stringify(sms));
	const raw = new Uint8Array(packed);
	for (const coding of ["gzip", "br", "identity, gzip"]) {
		const headers = { "content-encoding": coding };
		const { status, body } = await post("/sms/send", { raw, headers });
		expect([status, body.error?.code]).toEqual([415, "unsupported_media_type"]);
		expect(body.error?.message).toContain("Content-Encoding");
	}
	const headers = { "content-encoding": "identity" };
	expect((await post("/sms/send", { body: sms, headers })).status).toBe(202);
});

test("two Host headers are 400, the same one twice too", async () => {
	for (const second of ["other", "airtower"]) {
		const text = await exchange(world.baseUrl, [
			`GET /api/v1/health HTTP/1.1\r\nhost: airtower\r\nhost: ${second}\r\n`,
			"connection: close\r\n\r\n",
		]);
		expect(statusesOf(text)).toEqual([400]);
		expect(text).toContain('"bad_request"');
	}
});

test.each(["/", ""])("the base path with %j lists its methods", async (end) => {
	for (const [method, status] of [
		["OPTIONS", 204],
		["POST", 405],
	] as const) {
		const response = await call(world.baseUrl, end, { method });
		expect(response.status).toBe(status);
		expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS");
	}
});
