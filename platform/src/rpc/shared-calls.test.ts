import { once } from "node:events";
import { createServer, type Socket } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "../runtime/ports.ts";
import { eventually } from "../testing/eventually.ts";
import { longestMs } from "../testing/frozen.ts";
import type { RpcServer } from "./server.ts";
import { makeCertificate } from "./testing/certificate.ts";
import { connectTo, request, startServer } from "./testing/client.ts";
import { startServerProcess } from "./testing/start-process.ts";
import type { TlsSource } from "./tls.ts";

const HOSTS = ["127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4"] as const;

const NAME = "webhooks.internal";

/** The time within which a dead replica is left out and a new one called, ms. */
const NOTICED_WITHIN_MS = 5_000;
const MOST_TRIES = 3;
/** Of calls that may go to what died; one that begins before it is noticed ends after it. */
const CALL_TIMEOUT_MS = 2_000;

interface Replica {
	readonly server: RpcServer;
	calls: number;
}

/** Replicas of one service: the same port of several addresses. */
async function startReplicas(count: number, tls?: TlsSource) {
	const port = await freePort();
	const replicas = await Promise.all(
		HOSTS.slice(0, count).map((host) => startReplica(host, port, tls)),
	);
	return { port, replicas };
}

async function startReplica(
	host: string,
	port: number,
	tls?: TlsSource,
): Promise<Replica> {
	const replica = { calls: 0 };
	const server = await startServer({
		host,
		port,
		tls,
		webhooks: {
			listEndpoints: () => {
				replica.calls++;
				return {};
			},
		},
	});
	return Object.assign(replica, { server });
}

function connect(
	port: number,
	addresses: () => readonly string[],
	tls?: TlsSource,
) {
	return connectTo(port, {
		baseUrl: `${tls ? "https" : "http"}://${NAME}:${port}`,
		tls,
		resolve: () => Promise.resolve(addresses()),
	});
}

/**
 * A few tries, for a replica that stands still for two seconds is left out for a while. Not many: a share that comes about
 * by chance must not pass.
 */
async function inFewTries(check: () => Promise<void>): Promise<void> {
	for (let tries = 1; ; tries++) {
		try {
			return await check();
		} catch (error) {
			if (tries === MOST_TRIES) throw error;
			await delay(NOTICED_WITHIN_MS);
		}
	}
}

test.each([1, 2, 4])(
	"%i replicas get the same share of calls, within a fifth",
	async (count) => {
		const { port, replicas } = await startReplicas(count);
		const client = connect(port, () => HOSTS.slice(0, count));
		await inFewTries(async () => {
			for (const replica of replicas) replica.calls = 0;
			await Promise.all(
				Array.from({ length: 200 }, () => client.listEndpoints(request)),
			);
			for (const { calls } of replicas) {
				expect(calls).toBeGreaterThan((200 / count) * 0.8);
				expect(calls).toBeLessThan((200 / count) * 1.2 + 1);
			}
		});
	},
);

test("replicas without a common name, each with a URL of its own, share calls too", async () => {
	const { port, replicas } = await startReplicas(3);
	const urls = HOSTS.slice(0, 3).map((host) => `http://${host}:${port}`);
	const client = connectTo(port, { baseUrl: urls.join(",") });
	await inFewTries(async () => {
		for (const replica of replicas) replica.calls = 0;
		for (let call = 0; call < 30; call++) await client.listEndpoints(request);
		expect(replicas.map(({ calls }) => calls)).toEqual([10, 10, 10]);
	});
});

const { cert, key } = makeCertificate("server", [NAME]);
const mutual = () => ({ cert, key, ca: cert });

test.each([
	["", undefined],
	[", over mutual TLS neither", mutual],
])("a replica that goes takes no call with it%s", async (_how, tls) => {
	const { port, replicas } = await startReplicas(2, tls);
	const client = connect(port, () => HOSTS.slice(0, 2), tls);
	let isOpen = true as boolean;
	const callers = Array.from({ length: 8 }, async () => {
		while (isOpen) await client.listEndpoints(request);
	});
	await eventually(() => expect(replicas[1]?.calls).toBeGreaterThan(50));
	await replicas[0]?.server.close();
	const before = replicas[1]?.calls ?? 0;
	await eventually(() =>
		expect(replicas[1]?.calls).toBeGreaterThan(before + 100),
	);
	isOpen = false;
	await expect(Promise.all(callers)).resolves.toBeDefined();
});

test("a replica that comes is called within five seconds", async () => {
	const { port } = await startReplicas(1);
	const known: string[] = [HOSTS[0]];
	const client = connect(port, () => known);
	await client.listEndpoints(request);
	const late = await startReplica(HOSTS[1], port);
	known.push(HOSTS[1]);
	const startedAt = performance.now();
	await eventually(async () => {
		await client.listEndpoints(request);
		expect(late.calls).toBeGreaterThan(0);
	});
	expect(performance.now() - startedAt).toBeLessThan(
		longestMs(NOTICED_WITHIN_MS),
	);
});

/** How many of 30 calls, none of which may fail, these replicas got. */
async function shareOf(
	replicas: readonly Replica[],
	client: ReturnType<typeof connect>,
): Promise<number> {
	const sum = () => replicas.reduce((all, { calls }) => all + calls, 0);
	const before = sum();
	for (let call = 0; call < 30; call++)
		await client.listEndpoints(request, { timeoutMs: CALL_TIMEOUT_MS });
	return sum() - before;
}

/** Calls until these replicas get so many of 30; before that, calls to what died fail. */
async function expectShare(
	replicas: readonly Replica[],
	client: ReturnType<typeof connect>,
	share: number,
): Promise<void> {
	const startedAt = performance.now();
	await eventually(async () =>
		expect(await shareOf(replicas, client)).toBe(share),
	);
	expect(performance.now() - startedAt).toBeLessThan(
		longestMs(NOTICED_WITHIN_MS + CALL_TIMEOUT_MS),
	);
}

test("a replica that is frozen gets no call after five seconds, and gets its share again once it goes on", async () => {
	const port = await freePort();
	const [frozenHost, ...hosts] = HOSTS.slice(0, 3);
	const frozen = await startServerProcess(port);
	const others = await Promise.all(
		hosts.map((host) => startReplica(host, port)),
	);
	const client = connect(port, () => [frozenHost ?? "", ...hosts]);
	await expectShare(others, client, 20);
	frozen.process.kill("SIGSTOP");
	await expectShare(others, client, 30);
	frozen.process.kill("SIGCONT");
	await expectShare(others, client, 20);
});

test("a replica that takes connections and says nothing gets no call after five seconds, until another takes its address", async () => {
	const { port, replicas } = await startReplicas(1);
	const sockets = new Set<Socket>();
	const mute = createServer((socket) => sockets.add(socket));
	onTestFinished(() => void mute.close());
	await once(mute.listen(port, HOSTS[1]), "listening");
	const client = connect(port, () => HOSTS.slice(0, 2));
	await expectShare(replicas, client, 30);
	for (const socket of sockets) socket.destroy();
	await expectShare(replicas, client, 30);
	mute.close();
	for (const socket of sockets) socket.destroy();
	await once(mute, "close");
	await startReplica(HOSTS[1], port);
	await expectShare(replicas, client, 15);
});

test("a name that cannot be resolved for a while keeps its addresses", async () => {
	const { port } = await startReplicas(1);
	let isBroken = false as boolean;
	const client = connectTo(port, {
		baseUrl: `http://webhooks.internal:${port}`,
		resolve: async () => {
			if (isBroken) throw new Error("no such name");
			return [HOSTS[0]];
		},
	});
	await client.listEndpoints(request);
	isBroken = true;
	const until = performance.now() + 2_500;
	while (performance.now() < until) await client.listEndpoints(request);
});
