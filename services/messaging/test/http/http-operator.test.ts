import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@airtower/platform/testing/eventually";
import { describe, expect, it, onTestFinished } from "vitest";
import { outgoing } from "../smpp/route.ts";
import { localEgress, startHttpRoute } from "./http-operators.ts";

/** A port that nobody listens on. */
async function closedPort(): Promise<number> {
	const server = createServer();
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	const { port } = server.address() as AddressInfo;
	await new Promise((done) => server.close(done));
	return port;
}

describe("what never left is unsent, and may go again", () => {
	it("an operator that cannot be reached: the route is down, and up again with it", async () => {
		const port = await closedPort();
		const { submit, operator } = await startHttpRoute("twilio", {
			settings: { address: `http://127.0.0.1:${port}` },
		});
		expect(operator.status().bound).toBe(true);
		const [part] = await submit();
		expect(part).toMatchObject({
			kind: "unsent",
			why: expect.stringContaining("ECONNREFUSED"),
		});
		expect(operator.status()).toMatchObject({
			bound: false,
			binds: 0,
			bindsWanted: 8,
			lastError: expect.stringContaining("ECONNREFUSED"),
		});
		const server = createServer((_, response) =>
			response.writeHead(201).end('{"sid":"SM1"}'),
		);
		await new Promise<void>((done) => server.listen(port, "127.0.0.1", done));
		onTestFinished(() => void server.close());
		await eventually(() => expect(operator.capacity()).toBeGreaterThan(0));
		expect(operator.capacity()).toBe(1);
		expect(await submit()).toMatchObject([{ kind: "accepted" }]);
		expect(operator.status()).toMatchObject({ bound: true, binds: 8 });
		expect(operator.capacity()).toBe(8);
	});

	it("an address inside the network", async () => {
		const egress = localEgress(false);
		const { submit, lookAlike } = await startHttpRoute("twilio", { egress });
		expect(await submit()).toMatchObject([
			{ kind: "unsent", why: "address_not_allowed" },
		]);
		expect(lookAlike.requests).toBe(0);
	});

	it("a port that the deployment blocks", async () => {
		const { submit, lookAlike } = await startHttpRoute("twilio", {
			egress: { blockedPorts: [[1, 65_535]] },
		});
		expect(await submit()).toMatchObject([{ kind: "unsent" }]);
		expect(lookAlike.requests).toBe(0);
	});

	it("a message that is no longer this process's, and the route stays up", async () => {
		const { operator, lookAlike } = await startHttpRoute("twilio");
		const result = await operator.submit(outgoing(), () => false);
		expect(result.parts).toMatchObject([{ kind: "unsent" }]);
		expect(lookAlike.requests).toBe(0);
		expect(operator.status().bound).toBe(true);
	});

	it("what waits when the process gives its connections up", async () => {
		const { operator, submit, lookAlike } = await startHttpRoute("twilio", {
			settings: { connections: "1" },
			limits: { drainMs: 200 },
		});
		lookAlike.respondNext("hang");
		const first = submit();
		await eventually(() => expect(lookAlike.requests).toBe(1));
		const second = submit();
		operator.hold([], () => true);
		expect(await second).toMatchObject([{ kind: "unsent" }]);
		expect(operator.open()).toEqual([0]);
		await operator.close();
		expect(await first).toMatchObject([{ kind: "unknown" }]);
	});
});

describe("what may have arrived is unknown", () => {
	it("no response in time", async () => {
		const { submit, lookAlike, operator } = await startHttpRoute("vonage", {
			settings: { timeout: "1" },
		});
		lookAlike.respondNext("hang");
		expect(await submit()).toMatchObject([{ kind: "unknown" }]);
		expect(operator.status().outstanding).toBe(0);
		expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	});

	it("a response that is too long to be one", async () => {
		const { submit, lookAlike } = await startHttpRoute("vonage");
		const body = { filler: "x".repeat(100_000) };
		lookAlike.respondNext({ status: 200, body });
		expect(await submit()).toMatchObject([{ kind: "unknown" }]);
	});
});

it("Retry-After is heeded", async () => {
	const { submit, lookAlike, operator } = await startHttpRoute("twilio");
	lookAlike.respondNext({
		status: 429,
		headers: { "retry-after": "30" },
		body: { code: 20_429 },
	});
	const [part] = await submit();
	expect(Object(part).retryAfterMs).toBeGreaterThan(1_000);
	expect(operator.capacity()).toBe(0);
	expect(operator.status().pausedUntil?.getTime()).toBeGreaterThan(
		Date.now() + 1_000,
	);
});

it("reconnect tries an account again that was refused", async () => {
	const { submit, lookAlike, operator } = await startHttpRoute("twilio");
	lookAlike.respondNext({ status: 401, body: { code: 20_003 } });
	await submit();
	expect(operator.capacity()).toBe(0);
	operator.reconnect();
	expect(operator.capacity()).toBe(1);
	expect(operator.status().lastError).toBe("HTTP 401 20003");
	expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	expect(operator.status().lastError).toBeUndefined();
});

it("a change and reconnect leave the connections that got stuck", async () => {
	let connections = 0;
	const server = createServer((_, response) =>
		response.writeHead(201).end('{"sid":"SM1"}'),
	).on("connection", () => connections++);
	await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
	onTestFinished(() => void server.close());
	const { port } = server.address() as AddressInfo;
	const { submit, operator, route } = await startHttpRoute("twilio", {
		settings: { address: `http://127.0.0.1:${port}`, connections: "1" },
	});
	const { description } = route;
	const headers = { "x-text": "a\nb" };
	operator.change({ ...route, description: { ...description, headers } });
	expect(await submit()).toMatchObject([{ kind: "unsent" }]);
	operator.change(route);
	expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	expect(connections).toBe(1);
	operator.reconnect();
	expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	expect(connections).toBe(2);
});

describe("a route that is changed while requests to what it was before have no response", () => {
	/** A route to an operator that leaves its requests waiting, for the test to respond to. */
	async function startWaiting(
		preset: "twilio" | "infobip",
		settings: Record<string, string> = {},
	) {
		const waiting: ServerResponse[] = [];
		const server = createServer((_, response) => waiting.push(response));
		await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
		onTestFinished(() => void server.close());
		const { port } = server.address() as AddressInfo;
		const address = `http://127.0.0.1:${port}`;
		const started = await startHttpRoute(preset, {
			settings: { ...settings, address },
		});
		return { ...started, waiting };
	}

	it("is up at once, also where they show that the operator of before refuses the account", async () => {
		const { submit, operator, lookAlike, route, waiting } =
			await startWaiting("twilio");
		const before = submit();
		await eventually(() => expect(waiting).toHaveLength(1));
		operator.change({ ...route, address: new URL(lookAlike.url) });
		waiting[0]?.writeHead(401).end('{"code":20003}');
		expect(await before).toMatchObject([{ kind: "unsent" }]);
		expect(operator.capacity()).toBe(8);
		expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	});

	it("is tried at once where it was down and the operator of before is silent", async () => {
		const { submit, operator, lookAlike, route, waiting } =
			await startWaiting("twilio");
		const refused = submit();
		await eventually(() => expect(waiting).toHaveLength(1));
		waiting[0]?.writeHead(401).end('{"code":20003}');
		await refused;
		operator.reconnect();
		const silent = submit();
		await eventually(() => expect(waiting).toHaveLength(2));
		expect(operator.capacity()).toBe(0);
		operator.change({ ...route, address: new URL(lookAlike.url) });
		expect(operator.capacity()).toBe(1);
		expect(await submit()).toMatchObject([{ kind: "accepted" }]);
		expect(operator.capacity()).toBe(7);
		waiting[1]?.destroy();
		expect(await silent).toMatchObject([{ kind: "unknown" }]);
		expect(operator.capacity()).toBe(8);
	});

	it("sends the messages of a request that is being filled to nobody", async () => {
		const { submit, operator, lookAlike, route, waiting } = await startWaiting(
			"infobip",
			{ batch: "10" },
		);
		const both = [submit(), submit({ to: "33600000002" })];
		await Promise.resolve();
		operator.change({ ...route, address: new URL(lookAlike.url) });
		for (const one of both)
			expect(await one).toMatchObject([{ kind: "unsent" }]);
		expect([waiting.length, lookAlike.requests]).toEqual([0, 0]);
		expect(await submit()).toMatchObject([{ kind: "accepted" }]);
	});
});

it("no more requests are under way than connections are held", async () => {
	const { submit, lookAlike, operator } = await startHttpRoute("twilio", {
		settings: { connections: "4" },
		limits: { drainMs: 200 },
	});
	operator.hold([1, 3], () => true);
	expect([operator.window, operator.capacity()]).toEqual([2, 2]);
	lookAlike.respondNext("hang", "hang");
	const all = Array.from({ length: 3 }, () => submit());
	await eventually(() => expect(lookAlike.requests).toBe(2));
	expect(operator.status()).toMatchObject({ outstanding: 2, queued: 1 });
	expect(operator.capacity()).toBe(0);
	const limit = operator.close();
	expect(await all[2]).toMatchObject([{ kind: "unsent" }]);
	await limit;
	expect(await all[0]).toMatchObject([{ kind: "unknown" }]);
});

it("the share of the rate that goes with the held connections is never exceeded", async () => {
	const { submit, operator, lookAlike } = await startHttpRoute("twilio", {
		settings: { connections: "8", rate: "40" },
	});
	operator.hold([0, 1], () => true);
	const startedAt = performance.now();
	await Promise.all(Array.from({ length: 16 }, () => submit()));
	// 10 a second: the first may go at once.
	expect(performance.now() - startedAt).toBeGreaterThan(1_400);
	expect(lookAlike.sends).toHaveLength(16);
});

it.each([[1], [2]])(
	"part %i alone is not sent: it would be the whole message",
	async (part) => {
		const { submit, lookAlike } = await startHttpRoute("vonage");
		const rest = { onlyParts: [part], partCount: 2 };
		expect(await submit(rest)).toMatchObject([
			{ kind: "refused", permanent: true },
		]);
		expect(lookAlike.requests).toBe(0);
	},
);

it("a stop waits for responses", async () => {
	const { submit, operator, lookAlike } = await startHttpRoute("twilio");
	const sent = submit({ to: "+33612340007" });
	await eventually(() => expect(lookAlike.requests).toBe(1));
	await operator.close();
	expect(await sent).toMatchObject([{ kind: "accepted" }]);
	expect(await submit()).toMatchObject([{ kind: "unsent", why: "stopped" }]);
});
