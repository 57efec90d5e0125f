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
	/** Messages of the organization by state. */
	countMessages(): Promise<Readonly<Record<string, number>>>;
	/** Resolves when every accepted message is final; throws when that takes too long. */
	untilDrained(): Promise<void>;
	stop(): Promise<void>;
}

const QUOTA = 1_000_000_000;
/** The highest that a plan may allow. */
const REQUESTS_PER_MINUTE = 1_000_000;
const QUIET_LOGS = { LOG_LEVEL: "warn" };
const DRAIN_TIMEOUT_MS = 300_000;
const POLL_MS = 200;
const UNFINISHED = ["accepted", "submitting", "submitted", "unknown"];

/** Starts everything on free ports in a temporary folder, on a real Kafka. */
export async function startBenchSystem(): Promise<BenchSystem> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-bench-"));
	// PostgreSQL does not run as root: its own user must be able to enter.
	await chmod(dataDir, 0o755);
	const system = await startSystem({
		dataDir,
		kafka: true,
		optimizedKafka: true,
		smppQuery: { window: "100" },
		env: {
			gateway: QUIET_LOGS,
			accounts: QUIET_LOGS,
			messaging: QUIET_LOGS,
			webhooks: QUIET_LOGS,
		},
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
	const countMessages = () => countByStatus(clients, organizationId);
	return {
		system,
		clients,
		organizationId,
		apiKey,
		sendUrl: `${system.baseUrl}/sms/send`,
		countMessages,
		untilDrained: () => untilDrained(countMessages),
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

async function countByStatus(
	{ messagingAdmin }: AdminClients,
	organizationId: string,
): Promise<Readonly<Record<string, number>>> {
	const { counts } = await messagingAdmin.countMessages({ organizationId });
	const numbers = Object.entries(counts).map(([status, count]) => [
		status,
		Number(count),
	]);
	return Object.fromEntries(numbers);
}

async function untilDrained(
	countMessages: BenchSystem["countMessages"],
): Promise<void> {
	const deadline = Date.now() + DRAIN_TIMEOUT_MS;
	for (;;) {
		const counts = await countMessages();
		const left = UNFINISHED.reduce((sum, key) => sum + (counts[key] ?? 0), 0);
		if (left === 0) return;
		if (Date.now() > deadline)
			throw new Error(
				`${left} messages are not final ${DRAIN_TIMEOUT_MS / 1_000} s after the load.`,
			);
		await delay(POLL_MS);
	}
}
