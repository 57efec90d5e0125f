import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { refused } from "./call.ts";
import { CALLBACK_ROUTE, CALLBACK_SIGNATURE } from "./fakes/messaging.ts";
import { startWorld, type World } from "./world.ts";

let world: World;

beforeAll(async () => {
	world = await startWorld();
});
afterAll(() => world.close());
beforeEach(() => {
	world.messaging.callbacks.length = 0;
	world.messaging.inboundCallbacks.length = 0;
	world.messaging.inboundReply = {};
});

function call(
	path: string,
	init: RequestInit & { readonly headers?: Record<string, string> } = {},
): Promise<Response> {
	const headers = { "x-signature": CALLBACK_SIGNATURE, ...init.headers };
	return fetch(new URL(path, world.baseUrl), { ...init, headers });
}

const PATH = `/callbacks/sms/${CALLBACK_ROUTE}`;

async function codeOf(response: Response): Promise<unknown> {
	return Object(await response.json()).error?.code;
}

test.each([
	["a form", "application/x-www-form-urlencoded", "a=1&b=%C3%A9+%26"],
	["JSON with spaces", "application/json", '{ "a" : 1.0 }\n'],
	["what is no JSON", "application/json", "{"],
	["bytes that are no text", "application/octet-stream", "\xff\x00\xfe"],
])(
	"%s arrives byte for byte, with query and headers",
	async (_name, type, text) => {
		const body = Buffer.from(text, "latin1");
		const response = await call(`${PATH}?token=a%20b&x=?`, {
			method: "POST",
			headers: { "content-type": type },
			body,
		});
		expect([response.status, await response.json()]).toEqual([
			200,
			{ success: true },
		]);
		expect(world.messaging.callbacks).toMatchObject([
			{
				route: CALLBACK_ROUTE,
				method: "POST",
				query: "token=a%20b&x=?",
				headers: { "content-type": type },
			},
		]);
		const [callback] = world.messaging.callbacks;
		expect(Buffer.from(callback?.body ?? []).equals(body)).toBe(true);
	},
);

test("a GET is one too", async () => {
	expect((await call(`${PATH}?messageId=1&status=delivered`)).status).toBe(200);
	expect(world.messaging.callbacks).toMatchObject([
		{ method: "GET", query: "messageId=1&status=delivered" },
	]);
});

test("texts from phones have a path of their own, and the response that their operator reads", async () => {
	const post = () =>
		call(`${PATH}/inbound?token=a%20b`, { method: "POST", body: "From=%2B1" });
	const plain = await post();
	expect([plain.status, await plain.json()]).toEqual([200, { success: true }]);
	world.messaging.inboundReply = {
		contentType: "text/xml",
		body: "<Response/>",
	};
	const read = await post();
	expect([read.status, await read.text()]).toEqual([200, "<Response/>"]);
	expect(read.headers.get("content-type")).toMatch(/^text\/xml\b/);
	expect(world.messaging.callbacks).toEqual([]);
	expect(world.messaging.inboundCallbacks).toMatchObject([
		{ route: CALLBACK_ROUTE, method: "POST", query: "token=a%20b" },
		{ body: new Uint8Array(Buffer.from("From=%2B1")) },
	]);
});

test("a text that cannot be read is 400 with the operator's name of the field", async () => {
	world.messaging.inboundReply = { field: "results.0.from" };
	const response = await call(`${PATH}/inbound`, {
		method: "POST",
		body: "{}",
	});
	expect(response.status).toBe(400);
	expect(await response.json()).toMatchObject({
		error: {
			code: "validation_failed",
			details: [{ field: "results.0.from", code: "required" }],
		},
	});
});

test.each([
	[
		"a wrong signature is 401",
		PATH,
		"other",
		401,
		"invalid_callback_signature",
	],
	[
		"a wrong signature of texts is 401",
		`${PATH}/inbound`,
		"other",
		401,
		"invalid_callback_signature",
	],
	[
		"an unknown route is 404",
		"/callbacks/sms/other",
		CALLBACK_SIGNATURE,
		404,
		"route_not_found",
	],
	[
		"a code that is too long for one is 400",
		`/callbacks/sms/${"x".repeat(33)}`,
		CALLBACK_SIGNATURE,
		400,
		"validation_failed",
	],
])("%s, and nothing is kept", async (_name, path, signature, status, code) => {
	const headers = { "x-signature": signature };
	const response = await call(path, { method: "POST", headers, body: "a=1" });
	expect([response.status, await codeOf(response)]).toEqual([status, code]);
	expect(world.messaging.callbacks).toEqual([]);
});

test("a callback of half a megabyte is taken, one of two is 413", async () => {
	const half = { method: "POST", body: Buffer.alloc(524_288, "x") };
	expect((await call(PATH, half)).status).toBe(200);
	const two = { method: "POST", body: Buffer.alloc(2 * 1_048_576, "x") };
	expect((await call(PATH, two)).status).toBe(413);
});

test("other methods are 405", async () => {
	const response = await call(PATH, { method: "DELETE" });
	expect(response.status).toBe(405);
	expect(response.headers.get("allow")).toBe("GET, HEAD, OPTIONS, POST");
});

test("an address that calls paths of no route gets genuine callbacks through, a few at a time", async () => {
	const post = (path: string) => call(path, { method: "POST", body: "a=1" });
	for (let round = 0; round < 3; round++) {
		const other = Array.from({ length: 20 }, () =>
			post("/callbacks/sms/other"),
		);
		const statuses = (await Promise.all(other)).map(({ status }) => status);
		expect(new Set(statuses)).toEqual(new Set([404]));
	}
	expect((await post(PATH)).status).toBe(200);
	const held = Promise.withResolvers<void>();
	world.messaging.gate = held.promise;
	const crowd = Array.from({ length: 40 }, () => post(PATH));
	expect((await Promise.any(crowd.map(refused))).status).toBe(429);
	world.messaging.gate = Promise.resolve();
	held.resolve();
	const statuses = (await Promise.all(crowd)).map(({ status }) => status);
	expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test("the operator calls again while messaging is down: 503", async () => {
	await world.stopService("messaging");
	const response = await call(PATH, { method: "POST", body: "a=1" });
	await world.restartService("messaging");
	expect(response.status).toBe(503);
});
