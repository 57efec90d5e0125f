import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
import type { PublicApi } from "../demo/public-api.ts";
import {
	type AdminClients,
	adminAccessOf,
	createAdminClients,
} from "../start/admin-clients.ts";
import { provisionOrganization } from "../start/provision.ts";
import { startSystem } from "../start/start-system.ts";
import type { System, SystemEvent } from "../start/system.ts";

/** A system of the benchmarks' own with one organization that nothing holds back but the machine. */
export interface BenchSystem {
	readonly system: System;
	readonly organizationId: string;
	/** Where its customer sends, and with which key. */
	readonly target: PublicApi;
	/** How many of its messages have been delivered. */
	countDelivered(): Promise<number>;
	/** Resolves when every accepted message is final; throws when that takes too long. */
	untilDrained(): Promise<void>;
	/** Resolves when besides every outcome is delivered to the one endpoint. */
	untilAtRest(): Promise<void>;
	stop(): Promise<void>;
}

const QUOTA = 1_000_000_000;
/** The highest that a plan may allow. */
const REQUESTS_PER_MINUTE = 1_000_000;
/** As a fast operator allows it: with a smaller one messages wait for a place, not for the CPU. */
const SMPP_WINDOW = "500";
const DRAIN_TIMEOUT_MS = 120_000;
const POLL_MS = 500;
const UNFINISHED = ["accepted", "submitting", "submitted", "unknown"];
const DELIVERY_ENDS = ["delivered", "dead"];

/** Starts everything on free ports in a temporary folder, on a real Kafka. */
export async function startBenchSystem(): Promise<BenchSystem> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-bench-"));
	// PostgreSQL does not run as root: its own user must be able to enter.
	await chmod(dataDir, 0o755);
	const system = await startSystem({
		dataDir,
		kafka: true,
		optimizedKafka: true,
		smppQuery: { window: SMPP_WINDOW },
		onEvent: warnOfCrash,
	});
	await liftRateLimit(system.adminDatabaseUrl);
	const clients = createAdminClients(adminAccessOf(system));
	const { organizationId, apiKey } = await provisionOrganization(clients, {
		...{ name: "Bench", units: QUOTA, sender: "Bench" },
	});
	const count = counters(clients, organizationId);
	return {
		...{ system, organizationId },
		target: { baseUrl: system.baseUrl, apiKey },
		countDelivered: () => count.messages(["delivered"]),
		untilDrained: () =>
			untilNone("messages are not final", () => count.messages(UNFINISHED)),
		// Every message ends in one outcome, and every outcome in one delivery.
		untilAtRest: () =>
			untilNone(
				"outcomes are not delivered",
				async () => (await count.messages()) - (await count.deliveries()),
			),
		stop: async () => {
			await system.stop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}

function warnOfCrash(event: SystemEvent): void {
	if (event.kind === "crashed")
		process.stderr.write(`  ${event.process} ended (${event.how}).\n`);
}

async function liftRateLimit(url: string): Promise<void> {
	const sql = postgres(url, { max: 1 });
	await sql`update accounts.plans set requests_per_minute = ${REQUESTS_PER_MINUTE}`;
	await sql.end();
}

/** Counts of one organization by state; of all states when none is named. */
function counters(clients: AdminClients, organizationId: string) {
	return {
		messages: async (states?: readonly string[]) => {
			const { counts } = await clients.messagingAdmin.countMessages({
				organizationId,
			});
			return sum(counts, states ?? Object.keys(counts));
		},
		deliveries: async () => {
			const { counts } = await clients.webhooksAdmin.countDeliveries({
				organizationId,
			});
			return sum(counts, DELIVERY_ENDS);
		},
	};
}

function sum(
	counts: Readonly<Record<string, bigint>>,
	states: readonly string[],
): number {
	return states.reduce((sum, state) => sum + Number(counts[state] ?? 0), 0);
}

async function untilNone(
	what: string,
	countLeft: () => Promise<number>,
): Promise<void> {
	const deadline = Date.now() + DRAIN_TIMEOUT_MS;
	for (let left = await countLeft(); left > 0; left = await countLeft()) {
		if (Date.now() > deadline)
			throw new Error(
				`${left} ${what} ${DRAIN_TIMEOUT_MS / 1_000} s after the load.`,
			);
		await delay(POLL_MS);
	}
}
