import {
	appendFile,
	chmod,
	mkdtemp,
	readFile,
	rm,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@airtower/platform/runtime/ports";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, beforeEach, expect, it } from "vitest";
import { recoverWhile } from "../../test/support/recovery.ts";
import {
	isRunning,
	type ProcessIdentity,
} from "../processes/process-identity.ts";
import { loadSecrets } from "../secrets/secrets-file.ts";
import { startPostgres } from "../servers/postgres.ts";
import { startSystem } from "../start/start-system.ts";
import { StartError } from "../start/system.ts";

const STOP_GRACE_MS = 15_000;

let dir: string;

beforeEach(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-storage-"));
	await chmod(dir, 0o755);
});

afterEach(() => rm(dir, { recursive: true, force: true }));

/** Makes a data folder whose PostgreSQL recovers as long as the folder exists. */
async function folderInRecovery(): Promise<void> {
	const { postgresPassword } = await loadSecrets(dir);
	const dataDir = join(dir, "postgres");
	const server = await startPostgres({ dataDir, password: postgresPassword });
	await server.process.stop(STOP_GRACE_MS);
	const hold = join(dir, "hold");
	await writeFile(hold, "");
	const settings = await recoverWhile(dataDir, hold);
	for (const [name, value] of Object.entries(settings))
		await appendFile(
			join(dataDir, "postgresql.auto.conf"),
			`${name} = '${value}'\n`,
		);
}

async function findPostgres(): Promise<ProcessIdentity> {
	const content = await readFile(join(dir, "run.json"), "utf8");
	const { pid, mark } = JSON.parse(content).processes.postgres;
	return { pid, mark };
}

it.each(["signal", "killSignal"])(
	"a start that waits for its database ends by its %s, and leaves no server",
	async (name) => {
		await folderInRecovery();
		const request = new AbortController();
		const attempt = startSystem({ dataDir: dir, [name]: request.signal });
		attempt.catch(() => {});
		const postgres = await eventually(findPostgres);
		request.abort();
		await expect(attempt).rejects.toThrow("The start was called off.");
		expect(await isRunning(postgres)).toBe(false);
	},
);

it("a start that is called off before it begins ends as well", async () => {
	const attempt = startSystem({ dataDir: dir, signal: AbortSignal.abort() });
	await expect(attempt).rejects.toThrow("The start was called off.");
});

it("says in one sentence that no broker responds", async () => {
	const broker = `127.0.0.1:${await freePort()}`;
	const attempt = startSystem({ dataDir: dir, kafka: [broker] });
	await expect(attempt).rejects.toThrow(StartError);
	await expect(attempt).rejects.toThrow(
		`No Kafka responds at ${broker}; check KAFKA_BROKERS.`,
	);
});

it.each(["foo", "http://127.0.0.1/x", "postgres:///x"])(
	"refuses %s as the address of a database in one sentence",
	async (databaseUrl) => {
		const attempt = startSystem({ dataDir: dir, databaseUrl });
		await expect(attempt).rejects.toThrow(StartError);
		await expect(attempt).rejects.toThrow(/^DATABASE_URL must be an address/);
	},
);
