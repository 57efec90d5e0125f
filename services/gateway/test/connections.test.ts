import { once } from "node:events";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { call } from "./call.ts";
import { exchange, openSocket, statusesOf, textOf } from "./raw.ts";
import { baseUrlOf, startWorld, type World } from "./world.ts";

let world: World;
let apiKey: string;

beforeAll(async () => {
	world = await startWorld();
	apiKey = world.accounts.addKey().apiKey;
});
afterAll(() => world.close());

const sms = JSON.stringify({ to: "+33612345678", message: "hello" });

function sendHead(key: string): string {
	const request = "POST /api/v1/sms/send HTTP/1.1\r\nhost: x\r\n";
	return `${request}x-api-key: ${key}\r\ncontent-type: application/json\r\n`;
}

function post(body: string, extra = ""): string {
	const length = `content-length: ${Buffer.byteLength(body)}\r\n`;
	return `${sendHead(apiKey)}${length}${extra}\r\n${body}`;
}

/** An SMS whose body is chunked and has no size where one must be. */
function brokenPost(key: string): string {
	return `${sendHead(key)}transfer-encoding: chunked\r\n\r\nhello\r\n`;
}

describe("connections", () => {
	test("pipelined requests are responded to in their order, each once", async () => {
		const before = world.messaging.messages.length;
		const text = await exchange(world.baseUrl, [
			post(sms, "x-request-id: one\r\n") +
				post("{", "x-request-id: two\r\n") +
				post(sms, "x-request-id: three\r\n"),
			post(sms, "x-request-id: four\r\nconnection: close\r\n"),
		]);
		expect(statusesOf(text)).toEqual([202, 400, 202, 202]);
		expect(
			[...text.matchAll(/x-request-id: (\w+)/g)].map((match) => match[1]),
		).toEqual(["one", "two", "three", "four"]);
		expect(world.messaging.messages.length).toBe(before + 3);
	});

	test.each([
		["a NUL", () => "\0"],
		["a space", () => " "],
		["a second request that is no HTTP", () => "hello\r\n\r\n"],
		[
			"a second request of too large a head",
			() => `GET /${"p".repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`,
		],
		["a second request of a broken body", () => brokenPost(apiKey)],
	])(
		"a request that %s follows has its own response, as the last one",
		async (_name, bytes) => {
			const before = world.messaging.messages.length;
			const text = await exchange(world.baseUrl, [post(sms) + bytes()]);
			expect(statusesOf(text)).toEqual([202]);
			expect(text).toMatch(/connection: close/i);
			expect(world.messaging.messages.length).toBe(before + 1);
		},
	);

	test("no error overtakes the responses that are awaited", async () => {
		const gate = Promise.withResolvers<void>();
		world.messaging.gate = gate.promise;
		const before = world.messaging.messages.length;
		const calls = world.messaging.batchSizes.length;
		const socket = openSocket(world.baseUrl).setNoDelay(true);
		const text = textOf(socket);
		socket.write(post(sms) + post(sms));
		await eventually(() =>
			expect(world.messaging.batchSizes.length).toBeGreaterThan(calls),
		);
		for (let times = 0; times < 3; times++) {
			socket.write("\0");
			await call(world.baseUrl, "/health");
		}
		gate.resolve();
		expect(statusesOf(await text)).toEqual([202, 202]);
		expect(world.messaging.messages.length).toBe(before + 2);
	});

	test("a request whose body is broken is refused once, and not carried out", async () => {
		const before = world.messaging.messages.length;
		for (const [key, status] of [
			[apiKey, 400],
			["at_live_short", 401],
		] as const) {
			const text = await exchange(world.baseUrl, [brokenPost(key)]);
			expect(statusesOf(text)).toEqual([status]);
		}
		expect(world.messaging.messages.length).toBe(before);
	});

	test("a request that is broken off in its body is not carried out", async () => {
		const before = world.messaging.messages.length;
		const socket = openSocket(world.baseUrl);
		socket.end(post(sms).slice(0, -5));
		await new Promise((resolve) => socket.once("close", resolve).resume());
		expect((await call(world.baseUrl, "/health")).status).toBe(200);
		expect(world.messaging.messages.length).toBe(before);
	});

	test("a client that does not wait for its response harms nobody", async () => {
		const gate = Promise.withResolvers<void>();
		world.messaging.gate = gate.promise;
		const before = world.messaging.messages.length;
		const calls = world.messaging.batchSizes.length;
		const socket = openSocket(world.baseUrl);
		socket.write(post(sms));
		await eventually(() =>
			expect(world.messaging.batchSizes.length).toBe(calls + 1),
		);
		socket.resetAndDestroy();
		const patient = call(world.baseUrl, "/sms/send", {
			method: "POST",
			apiKey,
			raw: sms,
		});
		gate.resolve();
		expect((await patient).status).toBe(202);
		expect(world.messaging.messages.length).toBe(before + 2);
	});
});

describe("what a client holds", () => {
	test("more requests than may wait for their responses end the connection", async () => {
		const health = "GET /api/v1/health HTTP/1.1\r\nhost: x\r\n\r\n";
		const last = health.replace("\r\n\r\n", "\r\nconnection: close\r\n\r\n");
		const few = await exchange(world.baseUrl, [health.repeat(15) + last]);
		expect(statusesOf(few)).toHaveLength(16);
		const many = await exchange(world.baseUrl, [health.repeat(300)]).catch(
			() => "",
		);
		expect(statusesOf(many).length).toBeLessThan(17);
	});

	test("an address has so many connections, and another one takes the place of one that ends", async () => {
		const limited = await world.startGateway({
			env: { CONNECTIONS_PER_ADDRESS: "3" },
		});
		const url = baseUrlOf(limited);
		const open = Array.from({ length: 3 }, () => openSocket(url));
		await Promise.all(open.map((socket) => once(socket, "connect")));
		await expect(fetch(`${url}/health`)).rejects.toThrow();
		open[0]?.destroy();
		await eventually(async () =>
			expect((await fetch(`${url}/health`)).status).toBe(200),
		);
		for (const socket of open) socket.destroy();
	});
});
