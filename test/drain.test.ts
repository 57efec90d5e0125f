import { Agent, get } from "node:http";
import { readKey } from "@airtower/dev/secrets/identity-keys";
import { serviceNames } from "@airtower/dev/start/system";
import { createTokenSigner } from "@airtower/platform/identity/caller-token";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { longestMs } from "@airtower/platform/testing/frozen";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { AuditService } from "@airtower/proto/ops/v1/audit";
import { Pool } from "undici";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { adminClients, createOrganization } from "./support/organization.ts";
import { startReplica } from "./support/replica.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

/** What a process that is told to stop has for all of it, ms. */
const LONGEST_STOP_MS = longestMs(30_000);
const DRAIN_WAIT_S = 1;
const CALLERS = 8;
/** Where no replica of the system is. */
const HOST = "127.0.0.9";

let running: TestSystem;

beforeAll(async () => {
	running = await startTestSystem();
});
afterAll(() => running.dispose());

const called = serviceNames.filter((name) => name !== "gateway");

test.each(called)(
	"of %s one of two replicas ends on SIGTERM under calls: no call fails, it exits with 0 within 30 s",
	async (name) => {
		const { system } = running;
		const { port } = new URL(system.addresses[name].rpcUrl);
		const replica = await startReplica(system, name, {
			RPC_HOST: HOST,
			RPC_PORT: port,
			DRAIN_WAIT_S: String(DRAIN_WAIT_S),
		});
		const { listAuditEntries } = testRpcClient({
			service: AuditService,
			audience: name,
			baseUrl: `http://${name}.internal:${port}`,
			resolve: async () => ["127.0.0.1", HOST],
			signer: createTokenSigner({
				key: readKey(system.keysDir, "admin"),
				person: "test",
			}),
		});
		let calls = 0;
		const load = keepCalling(CALLERS, async () => {
			await listAuditEntries({ page: { limit: 1 } });
			calls++;
		});
		await eventually(() => expect(calls).toBeGreaterThan(100));
		const { code, tookMs } = await replica.terminate();
		const after = calls;
		await eventually(() => expect(calls).toBeGreaterThan(after + 100));
		await load.stop();
		expect(code).toBe(0);
		expect(tookMs).toBeGreaterThan(DRAIN_WAIT_S * 1_000);
		expect(tookMs).toBeLessThan(LONGEST_STOP_MS);
	},
);

/** Rejects with the first failure. */
function keepCalling(callers: number, call: () => Promise<void>) {
	let isOpen = true as boolean;
	const all = Array.from({ length: callers }, async () => {
		while (isOpen) await call();
	});
	const ended = Promise.all(all);
	ended.catch(() => undefined);
	return {
		stop: async () => {
			isOpen = false;
			await ended;
		},
	};
}

test("the gateway on SIGTERM is not ready, serves on, then says Connection: close: every kept-alive request gets its response", async () => {
	const { system } = running;
	const { apiKey } = await createOrganization(adminClients(system), 10);
	const port = await freePort();
	const gateway = await startReplica(system, "gateway", {
		HTTP_HOST: "127.0.0.1",
		HTTP_PORT: String(port),
		DRAIN_WAIT_S: "8",
	});
	const url = new URL(`http://127.0.0.1:${port}/api/v1/account`);
	const headers = { authorization: `Bearer ${apiKey}` };
	let served = 0;
	let servedUnready = 0;
	let isReady = true as boolean;
	const note = (status: number) => {
		expect(status).toBe(200);
		served++;
		if (!isReady) servedUnready++;
	};
	const clients = [
		...Array.from({ length: 4 }, () =>
			untilClosed(askByAgent(url, headers), note),
		),
		...Array.from({ length: 4 }, () =>
			untilClosed(askByPool(url, headers), note),
		),
	];
	await eventually(() => expect(served).toBeGreaterThan(200));
	const ended = gateway.terminate();
	await eventually(
		async () =>
			expect((await fetch(`${gateway.opsUrl}/ready`)).status).toBe(503),
		{ everyMs: 5 },
	);
	isReady = false;
	await Promise.all(clients);
	expect(servedUnready).toBeGreaterThan(clients.length);
	const { code, tookMs } = await ended;
	expect(code).toBe(0);
	expect(tookMs).toBeLessThan(LONGEST_STOP_MS);
});

interface Reply {
	readonly status: number;
	readonly isLast: boolean;
}

async function untilClosed(
	ask: () => Promise<Reply>,
	note: (status: number) => void,
): Promise<void> {
	for (;;) {
		const { status, isLast } = await ask();
		note(status);
		if (isLast) return;
	}
}

function askByAgent(url: URL, headers: Record<string, string>) {
	const agent = new Agent({ keepAlive: true, maxSockets: 1 });
	onTestFinished(() => agent.destroy());
	return () =>
		new Promise<Reply>((resolve, reject) => {
			get(url, { agent, headers }, (response) => {
				const { statusCode = 0, headers } = response;
				const isLast = headers.connection === "close";
				response
					.resume()
					.on("end", () => resolve({ status: statusCode, isLast }));
			}).on("error", reject);
		});
}

function askByPool(url: URL, headers: Record<string, string>) {
	const pool = new Pool(url.origin, { connections: 1, pipelining: 1 });
	onTestFinished(() => pool.destroy());
	return async (): Promise<Reply> => {
		const response = await pool.request({
			method: "GET",
			path: url.pathname,
			headers,
		});
		await response.body.dump();
		const isLast = response.headers.connection === "close";
		return { status: response.statusCode, isLast };
	};
}
