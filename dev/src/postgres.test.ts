import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@airtower/platform/database/database";
import { eventually } from "@airtower/platform/testing/eventually";
import { afterEach, expect, it } from "vitest";
import { isAlive } from "./end-process.ts";
import {
	type PostgresOptions,
	type RunningPostgres,
	startPostgres,
} from "./postgres.ts";
import { recoverWhile } from "./testing/recovery.ts";

let dir: string;
let server: RunningPostgres | undefined;

afterEach(async () => {
	await server?.stop();
	server = undefined;
	await rm(dir, { recursive: true, force: true });
});

async function startIn(name: string): Promise<RunningPostgres> {
	dir = await mkdtemp(join(tmpdir(), `airtower ${name}-`));
	await chmod(dir, 0o755);
	return startAgain({});
}

async function startAgain(
	options: Partial<PostgresOptions>,
): Promise<RunningPostgres> {
	server = await startPostgres({
		dataDir: join(dir, "postgres"),
		password: "secret",
		...options,
	});
	return server;
}

/** Leaves a cluster that recovers until the file is gone. */
async function clusterInRecovery() {
	await (await startIn("recovery")).stop();
	server = undefined;
	const hold = join(dir, "hold");
	await writeFile(hold, "");
	return { hold, settings: await recoverWhile(join(dir, "postgres"), hold) };
}

/** How the server sees a connection: the socket has no address. */
async function clientAddress(url: string): Promise<string | null> {
	const sql = connectDatabase({
		...{ url, schema: "public" },
		...{ poolSize: 1, applicationName: "test" },
	});
	const [row] = await sql<{ address: string | null }[]>`
		select host(inet_client_addr()) as address
	`;
	await sql.end();
	return row?.address ?? null;
}

it("takes connections through the socket in a folder with a space and an accent", async () => {
	const { url, socketDir } = await startIn("my dir é");
	const local = new URL(url);
	local.searchParams.set("host", String(socketDir));
	expect(await clientAddress(local.href)).toBeNull();
});

it("starts again on the same port when it was killed", async () => {
	const { pid, url, ended, restart } = await startIn("crash");
	process.kill(pid, "SIGKILL");
	expect(await ended()).toBe("SIGKILL");
	await eventually(restart);
	expect(await clientAddress(url)).toBe("127.0.0.1");
	expect(server?.pid).not.toBe(pid);
});

it("waits for a server that makes good a crash, and says so", async () => {
	const { hold, settings } = await clusterInRecovery();
	let told = 0;
	const onRecovery = () => {
		told++;
		void rm(hold);
	};
	const { url } = await startAgain({ settings, onRecovery });
	expect(told).toBe(1);
	expect(await clientAddress(url)).toBe("127.0.0.1");
});

it("is ended at once when its start is called off", async () => {
	const { settings } = await clusterInRecovery();
	const stop = new AbortController();
	let pid = 0;
	const attempt = startAgain({
		settings,
		signal: stop.signal,
		onPid: async (started) => {
			pid = started;
		},
		onRecovery: () => stop.abort(new Error("called off")),
	});
	await expect(attempt).rejects.toThrow("called off");
	expect(pid).toBeGreaterThan(0);
	expect(isAlive(pid)).toBe(false);
});

it.each([
	["with commas and colons", "one,two:3"],
	["whose path has more bytes than a socket's may", "é".repeat(45)],
])("does without a socket in a folder %s", async (_what, name) => {
	const { url, socketDir } = await startIn(name);
	expect(socketDir).toBeUndefined();
	expect(await clientAddress(url)).toBe("127.0.0.1");
});
