import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@airtower/platform/database/database";
import { eventually } from "@airtower/platform/testing/eventually";
import postgres from "postgres";
import { afterEach, expect, it, onTestFinished } from "vitest";
import { recoverWhile } from "../../test/support/recovery.ts";
import {
	isRunning,
	type ProcessIdentity,
} from "../processes/process-identity.ts";
import type { ProcessEvent } from "../processes/supervision.ts";
import {
	type EmbeddedPostgres,
	type PostgresOptions,
	startPostgres,
} from "./postgres.ts";
import { hasCrashed } from "./postgres-status.ts";

const STOP_GRACE_MS = 15_000;

let dir: string;
let server: EmbeddedPostgres | undefined;

afterEach(async () => {
	await server?.process.stop(STOP_GRACE_MS);
	server = undefined;
	await rm(dir, { recursive: true, force: true });
});

async function startIn(name: string): Promise<EmbeddedPostgres> {
	dir = await mkdtemp(join(tmpdir(), `airtower ${name}-`));
	await chmod(dir, 0o755);
	return startAgain({});
}

async function startAgain(
	options: Partial<PostgresOptions>,
): Promise<EmbeddedPostgres> {
	server = await startPostgres({
		dataDir: join(dir, "postgres"),
		password: "secret",
		...options,
	});
	return server;
}

/** Leaves a cluster that recovers until the file is gone. */
async function clusterInRecovery() {
	await (await startIn("recovery")).process.stop(STOP_GRACE_MS);
	server = undefined;
	const hold = join(dir, "hold");
	await writeFile(hold, "");
	return { hold, settings: await recoverWhile(join(dir, "postgres"), hold) };
}

/** How the server sees a connection: the socket has no address. */
async function clientAddress(url: string): Promise<string | null> {
	const sql = connectDatabase({
		url,
		schema: "public",
		poolSize: 1,
		applicationName: "test",
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

it("ends a session that somebody leaves in the middle of a transaction, after a minute", async () => {
	const { url } = await startIn("left");
	const sql = postgres(url, { max: 1 });
	onTestFinished(() => sql.end());
	expect(await sql`show idle_in_transaction_session_timeout`).toEqual([
		{ idle_in_transaction_session_timeout: "1min" },
	]);
});

it("starts again on the same port when it was killed", async () => {
	const { url, process: server } = await startIn("crash");
	const pid = Number(server.pid);
	process.kill(pid, "SIGKILL");
	await eventually(() => expect(server.pid).toBeUndefined());
	await eventually(() => server.restart());
	expect(await clientAddress(url)).toBe("127.0.0.1");
	expect(server.pid).not.toBe(pid);
});

it("waits for a server that makes good a crash, and says so", async () => {
	const { hold, settings } = await clusterInRecovery();
	const told: ProcessEvent[] = [];
	const onEvent = (event: ProcessEvent) => {
		told.push(event);
		void rm(hold);
	};
	const { url } = await startAgain({ settings, supervision: { onEvent } });
	expect(told).toMatchObject([{ kind: "waiting", part: "PostgreSQL" }]);
	expect(await clientAddress(url)).toBe("127.0.0.1");
});

it("is ended at once when its start is called off", async () => {
	const { settings } = await clusterInRecovery();
	const stop = new AbortController();
	const seen: ProcessIdentity[] = [];
	const onIdentity = async (identity?: ProcessIdentity) => {
		if (identity !== undefined) seen.push(identity);
		stop.abort(new Error("called off"));
	};
	const supervision = { signal: stop.signal, onIdentity };
	const attempt = startAgain({ settings, supervision });
	await expect(attempt).rejects.toThrow("called off");
	expect(await Promise.all(seen.map(isRunning))).toEqual([false]);
});

it.each([
	["with commas and colons", "one,two:3"],
	["whose path has more bytes than a socket's may", "é".repeat(45)],
])("does without a socket in a folder %s", async (_what, name) => {
	const { url, socketDir } = await startIn(name);
	expect(socketDir).toBeUndefined();
	expect(await clientAddress(url)).toBe("127.0.0.1");
});

it("a start after a crash is told from one after a stop", async () => {
	const { process } = await startIn("crash");
	await process.stop(STOP_GRACE_MS);
	const dataDir = join(dir, "postgres");
	expect(await hasCrashed(dataDir)).toBe(false);
	await (await startAgain({})).process.kill("SIGKILL");
	expect(await hasCrashed(dataDir)).toBe(true);
});
