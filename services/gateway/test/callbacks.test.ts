import { createHmac } from "node:crypto";
import { eventually } from "@airtower/platform/testing/eventually";
import {
	afterAll,
	beforeAll,
	beforeEach,
	describe,
	expect,
	test,
} from "vitest";
import { refused } from "./call.ts";
import { APP_SECRET, VERIFY_TOKEN } from "./fakes/whatsapp.ts";
import { startWorld, type World } from "./world.ts";

let world: World;
let url: string;

beforeAll(async () => {
	world = await startWorld();
	url = new URL("/callbacks/whatsapp", world.baseUrl).href;
});
afterAll(() => world.close());
beforeEach(() => {
	world.whatsapp.callbacks.length = 0;
});

const sign = (body: Uint8Array) =>
	`sha256=${createHmac("sha256", APP_SECRET).update(body).digest("hex")}`;

const post = (body: Uint8Array, headers: Record<string, string>) =>
	fetch(url, { method: "POST", body: Buffer.from(body), headers });

test.each([
	["JSON with spaces", "application/json", '{ "a" : 1.0 }\n'],
	["escapes that a parser would undo", "application/json", '"\\u00e9\\/"'],
	["what is no JSON", "application/json", "{"],
	["another type", "text/plain", "a=1"],
	["bytes that are no text", "application/octet-stream", "\xff\x00\xfe"],
])("%s arrives byte for byte", async (_name, type, text) => {
	const body = Buffer.from(text, "latin1");
	const response = await post(body, {
		"content-type": type,
		"x-hub-signature-256": sign(body),
	});
	expect([response.status, await response.json()]).toEqual([
		200,
		{ success: true },
	]);
	expect(world.whatsapp.callbacks).toEqual([body]);
});

test("a callback of a megabyte is taken, one of four is 413", async () => {
	const body = Buffer.alloc(1_048_576, "x");
	const response = await post(body, { "x-hub-signature-256": sign(body) });
	expect(response.status).toBe(200);
	const larger = Buffer.alloc(4 * 1_048_576, "x");
	const signature = { "x-hub-signature-256": sign(larger) };
	expect((await post(larger, signature)).status).toBe(413);
});

test.each([
	["no signature", {}],
	["an empty one", { "x-hub-signature-256": "" }],
	["one of other bytes", { "x-hub-signature-256": sign(Buffer.from("b")) }],
	[
		"one without its prefix",
		{ "x-hub-signature-256": sign(Buffer.from("a")).slice(7) },
	],
])("with %s it is 401 and nothing is kept", async (_name, headers) => {
	const response = await post(Buffer.from("a"), headers);
	expect(response.status).toBe(401);
	const { error } = Object(await response.json());
	expect(error.code).toBe("invalid_callback_signature");
	expect(world.whatsapp.callbacks).toEqual([]);
});

describe("while an address has as many callbacks under way as it may", () => {
	const held = Promise.withResolvers<void>();
	const abort = new AbortController();
	const body = Buffer.from("{}");
	const headers = { "x-hub-signature-256": sign(body) };
	let underWay: Promise<Response | undefined>[];

	beforeAll(async () => {
		world.whatsapp.callbacksHeld = held.promise;
		underWay = Array.from({ length: 64 }, () =>
			fetch(url, { method: "POST", body, headers, signal: abort.signal }).catch(
				() => undefined,
			),
		);
		await eventually(async () =>
			expect((await handshake({})).status).toBe(429),
		);
	});
	afterAll(() => {
		world.whatsapp.callbacksHeld = undefined;
		held.resolve();
	});

	test("a further one is told to come again, before its body is read", async () => {
		const response = await post(Buffer.alloc(1_048_576), {});
		expect(response.status).toBe(429);
		expect(response.headers.get("retry-after")).toBe("1");
		expect(Object(await response.json()).error.code).toBe("rate_limited");
	});

	test("sends and lists go on", async () => {
		const health = await fetch(`${world.baseUrl}/health`);
		expect(health.status).toBe(200);
	});

	test("the place of one whose connection is cut is free again", async () => {
		abort.abort();
		await Promise.all(underWay);
		world.whatsapp.callbacksHeld = undefined;
		await eventually(async () =>
			expect((await post(body, headers)).status).toBe(200),
		);
	});
});

test("an address that forges callbacks gets its genuine ones through, a few at a time", async () => {
	const forged = { "x-hub-signature-256": sign(Buffer.from("other")) };
	const body = Buffer.from("{}");
	for (let nth = 0; nth < 60; nth++)
		expect((await post(body, forged)).status).toBe(401);
	const genuine = { "x-hub-signature-256": sign(body) };
	expect((await post(body, genuine)).status).toBe(200);
	const held = Promise.withResolvers<void>();
	world.whatsapp.callbacksHeld = held.promise;
	const crowd = Array.from({ length: 40 }, () => post(body, genuine));
	expect((await Promise.any(crowd.map(refused))).status).toBe(429);
	world.whatsapp.callbacksHeld = undefined;
	held.resolve();
	const statuses = (await Promise.all(crowd)).map(({ status }) => status);
	expect(new Set(statuses)).toEqual(new Set([200, 429]));
});

test("the provider tries again while whatsapp is down: 503", async () => {
	await world.stopService("whatsapp");
	const body = Buffer.from("{}");
	const response = await post(body, { "x-hub-signature-256": sign(body) });
	await world.restartService("whatsapp");
	expect(response.status).toBe(503);
});

const handshake = (query: Record<string, string>) =>
	fetch(`${url}?${new URLSearchParams(query)}`);

test("the handshake gives back the challenge as plain text", async () => {
	const response = await handshake({
		"hub.mode": "subscribe",
		"hub.verify_token": VERIFY_TOKEN,
		"hub.challenge": "<1158201444>",
	});
	expect(response.status).toBe(200);
	expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
	expect(response.headers.get("x-content-type-options")).toBe("nosniff");
	expect(await response.text()).toBe("<1158201444>");
});

test.each([
	["longer than any of the provider's", "1".repeat(129)],
	["of two lines", "1\n2"],
	["with markup and spaces", "<b> x"],
])("a challenge %s is refused", async (_name, challenge) => {
	const response = await handshake({
		"hub.mode": "subscribe",
		"hub.verify_token": VERIFY_TOKEN,
		"hub.challenge": challenge,
	});
	expect(response.status).toBe(400);
	expect(await response.text()).not.toContain(challenge);
});

test.each([
	["a wrong token", { "hub.verify_token": "x", "hub.challenge": "1" }],
	["no token", { "hub.challenge": "1" }],
])("a handshake with %s is 403", async (_name, query) => {
	const response = await handshake({ "hub.mode": "subscribe", ...query });
	expect(response.status).toBe(403);
	expect(Object(await response.json()).error.code).toBe("invalid_verify_token");
});
