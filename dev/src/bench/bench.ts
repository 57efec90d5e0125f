import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { PublicApi } from "../demo/public-api.ts";
import {
	addEndpoint,
	type CallbackBody,
	startReceiver,
} from "../load/receiver.ts";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "../start/admin-clients.ts";
import { provisionOrganization } from "../start/provision.ts";
import { startSystem } from "../start/start-system.ts";

export type Bench = Awaited<ReturnType<typeof openBench>>;

const UNITS = 1_000_000_000;
/** The highest that a plan may allow. */
const REQUESTS_PER_MINUTE = 1_000_000;
/** As a fast operator allows it: with a smaller one messages wait for the window, not for the CPU. */
const SMPP_WINDOW = "500";
const REST_TIMEOUT_MS = 120_000;
const POLL_MS = 500;

/** Starts a system with one organization; more can be added. */
export async function openBench() {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-bench-"));
	// PostgreSQL does not run as root: its own user must be able to enter.
	await chmod(dataDir, 0o755);
	const system = await startSystem({
		dataDir,
		kafka: true,
		optimizedKafka: true,
		smppQuery: { window: SMPP_WINDOW },
		onEvent: ({ kind, ...event }) => {
			if (kind === "crashed") console.error(kind, event);
		},
	});
	const clients = createAdminClients(adminAccessOf(system));
	const plan = { name: "default", requestsPerMinute: REQUESTS_PER_MINUTE };
	await clients.accountsAdmin.putPlan(plan);
	/** One that nothing but the machine limits; its sender ID is its name. */
	const addOrganization = async (name: string) => {
		const request = { name, units: UNITS, sender: name };
		const { organizationId, apiKey } = await provisionOrganization(
			clients,
			request,
		);
		return {
			name,
			organizationId,
			target: { baseUrl: system.baseUrl, apiKey },
		};
	};
	const { organizationId, target } = await addOrganization("Bench");
	const sink = await openCallbackSink(target);
	return {
		system,
		admin: clients.messagingAdmin,
		organizationId,
		target,
		addOrganization,
		sink,
		...counters(clients, organizationId),
		close: async () => {
			await sink.close();
			await system.stop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}

function counters(clients: AdminClients, organizationId: string) {
	const countMessages = async () =>
		(await clients.messagingAdmin.countMessages({ organizationId })).counts;
	const countUnreported = async () => {
		const messages = Object.values(await countMessages());
		const request = { organizationId };
		const { counts } = await clients.webhooksAdmin.countDeliveries(request);
		const all = messages.reduce((sum, count) => sum + count, 0n);
		return Number(all - (counts.delivered ?? 0n) - (counts.dead ?? 0n));
	};
	return {
		countDelivered: async () => Number((await countMessages()).delivered ?? 0n),
		/** Resolves when the outcome of every message is delivered to the one endpoint. */
		untilAtRest: () =>
			untilNone("outcomes are not delivered", REST_TIMEOUT_MS, countUnreported),
	};
}

/** Resolves when there is none left of what is counted. */
export async function untilNone(
	what: string,
	timeoutMs: number,
	countLeft: () => Promise<number> | number,
): Promise<void> {
	const deadline = Date.now() + timeoutMs;
	for (let left = await countLeft(); left > 0; left = await countLeft()) {
		if (Date.now() > deadline)
			throw new Error(`${left} ${what} after ${timeoutMs / 1_000} s.`);
		await delay(POLL_MS);
	}
}

/** A customer's endpoint that notes when the first callback of each message came, and how long after its outcome. */
async function openCallbackSink(target: PublicApi) {
	const messages = new Set<string>();
	const reports: { receivedAt: number; delayMs: number }[] = [];
	let prefix = "";
	let onReport = () => {};
	const receiver = await startReceiver({
		onCallback: ({ body, receivedAt }) => {
			const { data } = JSON.parse(body) as CallbackBody;
			if (data.client_reference?.startsWith(prefix) !== true) return;
			if (messages.has(data.message_id)) return;
			messages.add(data.message_id);
			const delayMs = receivedAt - Date.parse(data.occurred_at);
			reports.push({ receivedAt, delayMs });
			onReport();
		},
	});
	await addEndpoint(target, receiver.url);
	return {
		/** Forgets all reports; from now on counts only messages whose client reference begins with `<run>-`. */
		begin(run: string, whenReported = () => {}): void {
			prefix = `${run}-`;
			onReport = whenReported;
			messages.clear();
			reports.length = 0;
		},
		reports,
		close: () => receiver.close(),
	};
}
