import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startSystem } from "@airtower/dev/start/start-system";
import {
	type System,
	type SystemOptions,
	serviceNames,
} from "@airtower/dev/start/system";
import type { SharedServer } from "@airtower/dev/testing/shared-servers";
import postgres from "postgres";

export interface TestSystem {
	readonly system: System;
	/** Stops every process and removes the folder. */
	dispose(): Promise<void>;
}

/** Name of a plan whose rate limit no test reaches. */
export const TEST_PLAN = "test";
/** The suite on other systems; docs/reliability.md has the command. */
const { AIRTOWER_TEST_REPLICAS = "1", AIRTOWER_TEST_KAFKA } = process.env;
const TEST_REQUESTS_PER_MINUTE = 1_000_000;

/** A whole system of real processes in a temporary folder, on free ports. */
export async function startTestSystem(
	options: Omit<SystemOptions, "dataDir"> = {},
): Promise<TestSystem> {
	const dataDir = await mkdtemp(join(tmpdir(), "airtower-system-"));
	await chmod(dataDir, 0o755);
	const system = await startSystem({
		dataDir,
		replicas: Number(AIRTOWER_TEST_REPLICAS),
		kafka: AIRTOWER_TEST_KAFKA === "true",
		...options,
	});
	await insertTestPlan(system);
	return {
		system,
		dispose: async () => {
			await system.stop();
			await rm(dataDir, { recursive: true, force: true });
		},
	};
}

/** What test files are told of a system that they share. */
export type SharedSystemFacts = System & {
	readonly databaseUrls: Readonly<
		Record<Parameters<System["databaseUrl"]>[0], string>
	>;
};

/** A whole system for all test files that do no more than use one. */
export async function startSharedSystem(): Promise<SharedServer> {
	const { system, dispose } = await startTestSystem();
	const owners = [...serviceNames, "bus" as const];
	const databaseUrls = Object.fromEntries(
		owners.map((owner) => [owner, system.databaseUrl(owner)]),
	);
	return { facts: { ...system, databaseUrls }, stop: dispose };
}

async function insertTestPlan(system: System): Promise<void> {
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	await sql`
		insert into accounts.plans (name, requests_per_minute, organization_requests_per_minute)
		values (${TEST_PLAN}, ${TEST_REQUESTS_PER_MINUTE}, ${TEST_REQUESTS_PER_MINUTE})
	`;
	await sql.end();
}
