import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@airtower/platform/database";
import { afterEach, expect, it } from "vitest";
import { type RunningPostgres, startPostgres } from "./postgres.ts";

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
	server = await startPostgres({
		dataDir: join(dir, "postgres"),
		password: "secret",
	});
	return server;
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

it.each([
	["with commas and colons", "one,two:3"],
	["whose path has more bytes than a socket's may", "é".repeat(45)],
])("does without a socket in a folder %s", async (_what, name) => {
	const { url, socketDir } = await startIn(name);
	expect(socketDir).toBeUndefined();
	expect(await clientAddress(url)).toBe("127.0.0.1");
});
