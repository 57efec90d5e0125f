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

/**
 * One real PostgreSQL for the whole test run, in which each test file makes its own schema; a system and a broker on
 * demand.
 */
export default async function setup(project: TestProject) {
	const dir = await mkdtemp(join(tmpdir(), "airtower-test-"));
	await chmod(dir, 0o755);
	const server = await startPostgres({
		dataDir: join(dir, "postgres"),
		password: randomBytes(12).toString("hex"),
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
