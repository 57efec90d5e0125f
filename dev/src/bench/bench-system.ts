import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import postgres from "postgres";
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
	readonly clients: AdminClients;
	readonly organizationId: string;
	readonly apiKey: string;
	readonly sendUrl: string;
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
const DRAIN_TIMEOUT_MS = 300_000;
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
	const organization = await provisionOrganization(clients, {
		name: "Bench",
		units: QUOTA,
		sender: "Bench",
	});
	const { organizationId, apiKey } = organization;
	return {
		system,
		clients,
		organizationId,
		apiKey,
		sendUrl: `${system.baseUrl}/sms/send`,
		untilDrained: () =>
			untilNothing("messages are not final", () =>
				countUnfinished(clients, organizationId),
			),
		untilAtRest: () =>
			untilNothing("outcomes are not delivered", () =>
				countUndelivered(clients, organizationId),
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

type Counts = Readonly<Record<string, bigint>>;

async function countUnfinished(
	{ messagingAdmin }: AdminClients,
	organizationId: string,
): Promise<number> {
	const { counts } = await messagingAdmin.countMessages({ organizationId });
	return sumOf(counts, UNFINISHED);
}

/** Every message ends in one outcome, and every outcome in one delivery. */
async function countUndelivered(
	clients: AdminClients,
	organizationId: string,
): Promise<number> {
	const { counts } = await clients.messagingAdmin.countMessages({
		organizationId,
	});
	const deliveries = await clients.webhooksAdmin.countDeliveries({
		organizationId,
	});
	const messages = sumOf(counts, Object.keys(counts));
	return messages - sumOf(deliveries.counts, DELIVERY_ENDS);
}

function sumOf(counts: Counts, names: readonly string[]): number {
	return names.reduce((sum, name) => sum + Number(counts[name] ?? 0), 0);
}

async function untilNothing(
	what: string,
	countLeft: () => Promise<number>,
): Promise<void> {
	const deadline = Date.now() + DRAIN_TIMEOUT_MS;
	for (;;) {
		const left = await countLeft();
		if (left === 0) return;
		if (Date.now() > deadline)
			throw new Error(
				`${left} ${what} ${DRAIN_TIMEOUT_MS / 1_000} s after the load.`,
			);
		await delay(POLL_MS);
	}
}
