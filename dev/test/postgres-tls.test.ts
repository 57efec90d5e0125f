import {
	chmod,
	chown,
	mkdtemp,
	readFile,
	rm,
	stat,
	writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectDatabase } from "@airtower/platform/database/database";
import { migrateAtStart } from "@airtower/platform/database/migration/migrate-at-start";
import { mapErrors } from "@airtower/platform/rpc/map-errors";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { ConfigError } from "@airtower/platform/runtime/config";
import { silentLog } from "@airtower/platform/testing/log";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import {
	createPostgres,
	type EmbeddedPostgres,
} from "../src/servers/postgres.ts";

let dir: string;
let server: EmbeddedPostgres;
let authority: string;
let stranger: string;

beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-postgres-tls-"));
	await chmod(dir, 0o755);
	const dataDir = join(dir, "data");
	server = await createPostgres({
		dataDir,
		password: "secret",
		settings: {
			ssl: "on",
			ssl_cert_file: "server.crt",
			ssl_key_file: "server.key",
		},
	});
	const { cert, key } = makeCertificate("database");
	const { uid, gid } = await stat(dataDir);
	for (const [name, text] of [
		["server.crt", cert],
		["server.key", key],
	] as const) {
		const path = join(dataDir, name);
		await writeFile(path, text, { mode: 0o600 });
		await chown(path, uid, gid);
	}
	authority = join(dir, "ca.crt");
	await writeFile(authority, cert);
	stranger = join(dir, "other.crt");
	await writeFile(stranger, makeCertificate("database").cert);
	await server.process.start();
});

afterAll(async () => {
	await server.process.kill();
	await rm(dir, { recursive: true });
});

function connect(query: string, host = "127.0.0.1") {
	const url = new URL(`${server.url}?${query}`);
	url.hostname = host;
	const sql = connectDatabase({
		url: url.href,
		schema: "public",
		poolSize: 1,
		applicationName: "test",
	});
	onTestFinished(() => sql.end({ timeout: 1 }));
	return sql;
}

const verifyFull = (root: string) => `sslmode=verify-full&sslrootcert=${root}`;

test("verify-full talks over TLS to a server whose certificate is of the given authority and for its host", async () => {
	const sql = connect(verifyFull(authority));
	const [row] =
		await sql`select ssl from pg_stat_ssl where pid = pg_backend_pid()`;
	expect(row).toEqual({ ssl: true });
});

test.each([
	["another authority", () => connect(verifyFull(stranger)), /self-signed/],
	[
		"the authorities of this machine",
		() => connect("sslmode=verify-full"),
		/self-signed/,
	],
	[
		"another host's name",
		() => connect(verifyFull(authority), "localhost"),
		/altnames/,
	],
])(
	"verify-full with %s ends the start in one sentence",
	async (_what, open, why) => {
		const start = migrateAtStart(open(), [], silentLog);
		await expect(start).rejects.toThrow(ConfigError);
		await expect(start).rejects.toThrow(
			/^The database of DATABASE_URL is not who/,
		);
		await expect(start).rejects.toThrow(why);
	},
);

test("half a check, which would look like a whole one, is refused", () => {
	for (const query of ["sslmode=verify-ca", `sslrootcert=${authority}`])
		expect(() => connect(query)).toThrow(ConfigError);
	expect(() => connect(verifyFull(join(dir, "none.crt")))).toThrow(
		"sslrootcert: the file cannot be read, or is empty.",
	);
});

test("connections to come are checked against the authority's file of then", async () => {
	const file = join(dir, "renewed.crt");
	await writeFile(file, makeCertificate("database").cert);
	const sql = connect(verifyFull(file));
	await expect(sql`select 1`).rejects.toThrow(/self-signed/);
	await writeFile(file, await readFile(authority));
	await expect(sql`select 1`).resolves.toHaveLength(1);
});

/** gRPC's code of a call: UNAVAILABLE, which clients see as 503, and not INTERNAL. */
const UNAVAILABLE = 14;

test.each([
	["of another authority", () => connect(verifyFull(stranger))],
	["for another host", () => connect(verifyFull(authority), "localhost")],
])(
	"a call says that the service is unavailable while the database shows a certificate %s",
	async (_what, open) => {
		const sql = open();
		const call = mapErrors(async () => {
			await sql`select 1`;
			throw new Error("The database was reached.");
		});
		await expect(call({} as never)).rejects.toMatchObject({
			code: UNAVAILABLE,
		});
	},
);
