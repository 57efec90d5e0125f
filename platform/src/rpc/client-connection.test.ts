import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../runtime/ports.ts";
import { eventually } from "../testing/eventually.ts";
import { startWire } from "../testing/wire.ts";
import {
	connectTo,
	failureOf,
	request,
	startServer,
} from "./testing/client.ts";
import { ORGANIZATION, startTestServer } from "./testing/server.ts";
import { startServerProcess } from "./testing/start-process.ts";

const endpoint = {
	organizationId: ORGANIZATION,
	url: "https://example.org/hook",
	subscribedEvents: ["message.delivered"],
};

test("a call that takes too long is unavailable, and its handler is told", async () => {
	let told = 0;
	const { port } = await startServer({
		webhooks: {
			listEndpoints: (_request, { signal }) => {
				signal.addEventListener("abort", () => told++);
				return new Promise(() => undefined);
			},
		},
	});
	const client = connectTo(port, { timeoutMs: 1_000 });
	// On a busy machine the time may be over before the call is begun: the handler then learns nothing of it.
	await eventually(async () => {
		expect(await failureOf(client.listEndpoints(request))).toMatchObject({
			kind: "unavailable",
			reason: "service_unavailable",
		});
		expect(told).toBeGreaterThan(0);
	});
});

test("a service that is not there is unavailable long before the call's deadline", async () => {
	const client = connectTo(await freePort(), { timeoutMs: 60_000 });
	const startedAt = performance.now();
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "unavailable",
		reason: "service_unavailable",
	});
	expect(performance.now() - startedAt).toBeLessThan(30_000);
});

test("a service that is overloaded is unavailable", async () => {
	const { port } = await startServer({ limits: { maxConcurrentCalls: 0 } });
	const error = await failureOf(connectTo(port).listEndpoints(request));
	expect(error).toMatchObject({ kind: "unavailable" });
});

test("a call that reached its handler is never repeated", async () => {
	let calls = 0;
	const server = await startServer({
		limits: { closeGraceMs: 0 },
		webhooks: {
			listEndpoints: () => {
				calls++;
				void server.close();
				return new Promise(() => undefined);
			},
		},
	});
	const client = connectTo(server.port);
	expect(await failureOf(client.listEndpoints(request))).toMatchObject({
		kind: "unavailable",
	});
	expect(calls).toBe(1);
});

test("a call made before its server listens succeeds when it comes up in time", async () => {
	const port = await freePort();
	const response = connectTo(port).listEndpoints(request);
	await startServer({ port });
	expect((await response).endpoints).toHaveLength(1);
});

test("hundreds of calls that begin connections together all get their responses", async () => {
	const { port } = await startServer();
	const calls = [1, 2, 3].flatMap(() => {
		const client = connectTo(port);
		return Array.from({ length: 200 }, () => client.listEndpoints(request));
	});
	expect(await Promise.all(calls)).toHaveLength(600);
});

test("no call fails while one server closes and another takes its port", async () => {
	let server = await startTestServer();
	onTestFinished(() => server.close());
	const { port } = server;
	const client = connectTo(port);
	const stop = new AbortController();
	let calls = 0;
	const callers = Array.from({ length: 8 }, async () => {
		while (!stop.signal.aborted) {
			await client.listEndpoints(request);
			calls++;
		}
	});
	for (let round = 0; round < 5; round++) {
		const target = calls + 50;
		await eventually(() => expect(calls).toBeGreaterThan(target));
		await server.close();
		server = await startTestServer({ port });
	}
	stop.abort();
	await Promise.all(callers);
});

test("after kill -9 of the server, calls in flight are unavailable; later ones succeed once it is back", async () => {
	let server = await startServerProcess(0);
	const client = connectTo(server.port);
	await client.listEndpoints(request);

	for (let round = 0; round < 2; round++) {
		const inFlight = failureOf(client.createEndpoint(endpoint));
		await client.listEndpoints(request);
		server.process.kill("SIGKILL");
		await once(server.process, "exit");
		expect(await inFlight).toMatchObject({ kind: "unavailable" });
		expect(await failureOf(client.listEndpoints(request))).toMatchObject({
			kind: "unavailable",
		});
		server = await startServerProcess(server.port);
		await client.listEndpoints(request);
	}
});

test("a server that stood still does not begin with calls that were given up meanwhile", async () => {
	const server = await startServerProcess(0);
	const client = connectTo(server.port);
	await client.listEndpoints(request);
	server.process.kill("SIGSTOP");
	const create = (name: string, timeoutMs: number) => {
		const url = `https://example.org/${name}`;
		const created = client.createEndpoint({ ...endpoint, url }, { timeoutMs });
		return failureOf(created);
	};
	await create("given-up", 100);
	// By the time this one is given up, the cancellation of the one before has been written.
	await create("given-up-last", 100);
	const waiting = create("waiting", 5_000);
	server.process.kill("SIGCONT");
	await eventually(async () => {
		const { endpoints } = await client.listEndpoints(request);
		const begun = endpoints.map(({ url }) => url.split("/").at(-1));
		expect(begun).toContain("waiting");
		expect(begun).not.toContain("given-up");
	});
	server.process.kill("SIGKILL");
	await waiting;
});

test("a connection that went silent is replaced", async () => {
	const { port } = await startServer();
	const wire = await startWire(port);
	const client = connectTo(wire.port, {
		timeoutMs: 1_000,
		keepAlive: { pingIntervalMs: 50, pingTimeoutMs: 50 },
	});
	await eventually(() => client.listEndpoints(request));
	wire.muteOpenConnections();
	await eventually(() => client.listEndpoints(request));
});

test("calls that go on while a connection falls silent do not end the process", async () => {
	const { port } = await startServer();
	const wire = await startWire(port);
	const keepAlive = { pingIntervalMs: 20, pingTimeoutMs: 20 };
	const client = connectTo(wire.port, { keepAlive });
	const calls: Promise<unknown>[] = [];
	for (let round = 0; round < 20; round++) {
		await eventually(() => client.listEndpoints(request));
		wire.muteOpenConnections();
		for (let at = 0; at < 50; at++) {
			calls.push(
				client.listEndpoints(request, { timeoutMs: 10 }).catch(() => undefined),
			);
			await delay(1);
		}
	}
	await Promise.all(calls);
});
