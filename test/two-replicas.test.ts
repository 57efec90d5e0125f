import { setTimeout as delay } from "node:timers/promises";
import {
	type CallbackLog,
	startCallbackLog,
} from "@airtower/dev/load/callback-log";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiClient, apiClient } from "./support/api.ts";
import { openLedgers } from "./support/invariants.ts";
import {
	adminClients,
	createOrganization,
	type TestOrganization,
} from "./support/organization.ts";
import { submitsByText } from "./support/smsc.ts";
import { startTestSystem, type TestSystem } from "./support/test-system.ts";

const QUOTA = 10_000;
const CLIENTS = 8;
const BINDS = 2;
const RESTARTED = [
	...(["gateway", "gateway-2", "messaging", "accounts-2"] as const),
	...(["gateway", "gateway-2"] as const),
];
/** From one process that runs again, ready or not, until the next is stopped, ms. */
const SETTLED_MS = 700;
/** Of clients between two requests on a connection. */
const PAUSES_MS = [5, 20, 60, 150, 400];

let running: TestSystem;
let ledgers: ReturnType<typeof openLedgers>;
let organization: TestOrganization;
let clients: ApiClient[];
let callbacks: CallbackLog;

beforeAll(async () => {
	running = await startTestSystem({
		replicas: 2,
		smppQuery: { binds: String(BINDS) },
		env: { messaging: { UNKNOWN_WAIT_S: "2" } },
	});
	const { system } = running;
	ledgers = openLedgers(system);
	organization = await createOrganization(adminClients(system), QUOTA);
	clients = Array.from({ length: CLIENTS }, () =>
		apiClient(system.baseUrl, organization.apiKey),
	);
	callbacks = await startCallbackLog();
	const [client] = clients;
	const endpoint = await client?.post("/webhooks", {
		url: callbacks.url,
		subscribed_events: ["message.delivered", "message.failed"],
	});
	expect(endpoint?.status).toBe(202);
});

afterAll(async () => {
	await Promise.all(clients.map((client) => client.close()));
	await callbacks.close();
	await ledgers.close();
	await running.dispose();
});

const ids: string[] = [];

async function send(count: number): Promise<void> {
	const texts = Array.from({ length: count }, (_, at) => at);
	await Promise.all(
		clients.map(async (client) => {
			for (let at = texts.pop(); at !== undefined; at = texts.pop())
				await sendOne(client, `replica ${at}`);
		}),
	);
}

async function sendOne(client: ApiClient, text: string): Promise<void> {
	const response = await client.post("/sms/send", {
		to: "+33612349999",
		message: `${text} ${ids.length}`,
	});
	expect(response.status).toBe(202);
	ids.push((response.body.provider as { messageId: string }).messageId);
}

/** Calls of one method that each replica of a service was given. */
async function calls(name: "accounts" | "messaging", method: string) {
	const { port } = new URL(running.system.addresses[name].opsUrl);
	return Promise.all(
		["127.0.0.1", "127.0.0.2"].map(async (host) => {
			const response = await fetch(`http://${host}:${port}/metrics`);
			const line = new RegExp(
				`^rpc_server_calls_total\\{.*${method}.*code="ok".*\\} (\\d+)$`,
				"m",
			);
			return Number(line.exec(await response.text())?.[1]);
		}),
	);
}

async function expectOneEffectEach(): Promise<void> {
	const count = ids.length;
	await eventually(async () =>
		expect(await ledgers.statuses(organization.id)).toEqual({
			delivered: count,
		}),
	);
	expect(await ledgers.accounting(organization.id)).toEqual({
		balance: QUOTA - count,
		ledger: QUOTA - count,
		messages: count,
	});
	await eventually(async () =>
		expect(await ledgers.deliveries(organization.id)).toEqual({
			deliveries: count,
			messages: count,
			delivered: count,
		}),
	);
	const events = callbacks.eventsByMessage("/");
	for (const id of ids) expect(events.get(id)?.length).toBe(1);
}

test("two replicas of every service share the calls, and each message has one effect", async () => {
	await send(300);
	await expectOneEffectEach();
	const submits = await submitsByText(running.system);
	expect([...submits.values()].filter((count) => count > 1)).toEqual([]);
	for (const counts of [
		await calls("messaging", "SendMessages"),
		await calls("accounts", "ReserveQuota"),
	]) {
		const fair = counts.reduce((sum, one) => sum + one, 0) / counts.length;
		for (const count of counts) {
			expect(count).toBeGreaterThanOrEqual(fair * 0.8 - 1);
			expect(count).toBeLessThanOrEqual(fair * 1.2 + 1);
		}
	}
});

test("a process that gets SIGTERM and is started again, one after another, fails no request of kept-alive connections", async () => {
	const { system } = running;
	const stopping = new AbortController();
	const load = clients.map(async (client, at) => {
		while (!stopping.signal.aborted) {
			await sendOne(client, `restarted ${at}`);
			await delay(PAUSES_MS[at % PAUSES_MS.length]);
		}
	});
	const ended = Promise.all(load);
	ended.catch(() => stopping.abort());
	for (const name of RESTARTED) {
		if (stopping.signal.aborted) break;
		const pid = system.pids()[name] ?? 0;
		process.kill(pid, "SIGTERM");
		await eventually(() =>
			expect([pid, undefined]).not.toContain(system.pids()[name]),
		);
		await delay(SETTLED_MS);
	}
	stopping.abort();
	await ended;
	await expectOneEffectEach();
});

test("one of each killed, the other goes on with everything", async () => {
	const { system } = running;
	for (const name of Object.keys(system.pids()))
		if (name.endsWith("-2")) await system.kill(name as never, "SIGKILL");
	await send(50);
	await expectOneEffectEach();
});
