import { randomBytes } from "node:crypto";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@airtower/dev/servers/postgres";
import type {} from "@airtower/dev/testing/ask-shared-server";
import { offerSharedServers } from "@airtower/dev/testing/shared-servers";
import type {} from "@airtower/platform/testing/database";
import type { TestProject } from "vitest/node";

const STOP_GRACE_MS = 15_000;
/** What makes writes outlive the machine, which no test switches off, takes a quarter of the time of a migration. */
const WITHOUT_DURABILITY = {
	fsync: "off",
	synchronous_commit: "off",
	full_page_writes: "off",
	wal_compression: "off",
	wal_level: "minimal",
	max_wal_senders: "0",
};

/**
 * One real PostgreSQL for the whole test run, in which tests make databases of their own; a system and a broker on
 * demand.
 */
export default async function setup(project: TestProject) {
	const dir = await mkdtemp(join(tmpdir(), "airtower-test-"));
	await chmod(dir, 0o755);
	const server = await startPostgres({
		dataDir: join(dir, "postgres"),
		password: randomBytes(12).toString("hex"),
		settings: WITHOUT_DURABILITY,
	});
	project.provide("databaseUrl", server.url);
	const shared = await offerSharedServers({
		system: async () =>
			(await import("./support/test-system.ts")).startSharedSystem(),
		kafka: async () =>
			(await import("@airtower/dev/testing/kafka")).startSharedKafka(),
	});
	project.provide("sharedServersUrl", shared.url);
	return async () => {
		await shared.stop();
		await server.process.stop(STOP_GRACE_MS);
		await rm(dir, { recursive: true, force: true });
	};
}
