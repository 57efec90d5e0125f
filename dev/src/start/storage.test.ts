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
import { isAlive } from "../end-process.ts";
import { startPostgres } from "../postgres.ts";
import { recoverWhile } from "../testing/recovery.ts";
import { loadSecrets } from "./secrets.ts";
import { startSystem } from "./start-system.ts";
import { StartError } from "./system.ts";

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
	await server.stop();
	const hold = join(dir, "hold");
	await writeFile(hold, "");
	const settings = await recoverWhile(dataDir, hold);
	for (const [name, value] of Object.entries(settings))
		await appendFile(
			join(dataDir, "postgresql.auto.conf"),
			`${name} = '${value}'\n`,
		);
}

async function pidOfPostgres(): Promise<number> {
	const content = await readFile(join(dir, "run.json"), "utf8");
	return JSON.parse(content).processes.postgres.pid;
}

it.each(["signal", "killSignal"])(
	"a start that waits for its database ends by its %s, and leaves no server",
	async (name) => {
		await folderInRecovery();
		const request = new AbortController();
		const attempt = startSystem({ dataDir: dir, [name]: request.signal });
		attempt.catch(() => {});
		const pid = await eventually(pidOfPostgres);
		request.abort();
		await expect(attempt).rejects.toThrow("The start was called off.");
		expect(isAlive(pid)).toBe(false);
	},
);

it("a start that is called off before it begins ends as well", async () => {
	const attempt = startSystem({ dataDir: dir, signal: AbortSignal.abort() });
	await expect(attempt).rejects.toThrow("The start was called off.");
});

it("says in one sentence that no broker answers", async () => {
	const broker = `127.0.0.1:${await freePort()}`;
	const attempt = startSystem({ dataDir: dir, kafka: [broker] });
	await expect(attempt).rejects.toThrow(StartError);
	await expect(attempt).rejects.toThrow(
		`No Kafka answers at ${broker}; check KAFKA_BROKERS.`,
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
