import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { makeCertificate } from "@airtower/platform/rpc/testing/certificate";
import { startTestServer } from "@airtower/platform/rpc/testing/server";
import { identitySettings } from "@airtower/platform/testing/identities";
import { afterEach, expect, test, vi } from "vitest";
import { commands } from "./commands.ts";
import { runCli } from "./run-cli.ts";

/** Nobody listens there. */
const NOWHERE = "http://127.0.0.1:9";
const ENV = {
	AIRTOWER_ADMIN_TOKEN: "token",
	AIRTOWER_ACCOUNTS_RPC_URL: NOWHERE,
	AIRTOWER_WHATSAPP_RPC_URL: NOWHERE,
};
const ORGANIZATION = "0199b0a4-5f1c-7c3e-9b1a-3f0d6c2e8a11";
const GRANT = "0199b0a4-5f1c-7c3e-9b1a-000000000001";
const LISTS_NOTHING = "lists nothing; name at least one, or leave it away";

afterEach(() => vi.unstubAllEnvs());

function admin(...args: string[]) {
	return runCli(args, commands, ENV);
}

test("a grant without a response names the id to repeat it with", async () => {
	const grant = ["quota", "grant", ORGANIZATION, "5"];
	const made = await admin(...grant);
	expect(made).toMatchObject({ exitCode: 1, stdout: "" });
	expect(made.stderr).toMatch(
		/^The service did not respond; .* --grant-id [0-9a-f-]{36}, /,
	);
	const given = await admin(...grant, "--grant-id", GRANT, "--json");
	expect(JSON.parse(given.stderr)).toMatchObject({
		error: {
			code: "service_unavailable",
			message: expect.stringContaining(`--grant-id ${GRANT}, `),
		},
	});
});

test("an interrupted grant names the id to repeat it with", async () => {
	const silent = createServer();
	silent.listen(0, "127.0.0.1");
	await once(silent, "listening");
	const { port } = silent.address() as AddressInfo;
	const interrupt = new AbortController();
	silent.once("connection", () => interrupt.abort());
	const { exitCode, stderr } = await runCli(
		["quota", "grant", ORGANIZATION, "5", "--grant-id", GRANT],
		commands,
		{ ...ENV, AIRTOWER_ACCOUNTS_RPC_URL: `http://127.0.0.1:${port}` },
		interrupt.signal,
	);
	expect(exitCode).toBe(1);
	expect(stderr).toMatch(/^Interrupted\. The grant may have been made; /);
	expect(stderr).toContain(`--grant-id ${GRANT}, `);
	silent.close();
});

test.each([
	[["plans", "put", "bulk", "--requests-per-minute", "2147483648"], "at most"],
	[["keys", "issue", ORGANIZATION, "ci", "--scopes", ""], LISTS_NOTHING],
	[["dead-letters", "redrive", "webhooks", "g", "--ids", ","], LISTS_NOTHING],
	[["dead-letters", "discard", "webhooks", "g", "--ids", ","], LISTS_NOTHING],
	[["dead-letters", "discard", "webhooks", "g"], "needs --ids"],
	[
		["dead-letters", "list", "whatsapp"],
		"must be accounts or messaging or campaigns or webhooks",
	],
	[["organizations", "list", "--limit", "0"], "1 or more"],
	[["messages", "trace", "x"], "must be a UUID"],
	[["messages", "list", "--status", "lost"], "must be unknown"],
	[["messages", "resolve", GRANT, "lost"], "delivered or failed or resend"],
	[["organizations", "shwo", "Acme"], 'did you mean "organizations show"?'],
	[["quota", "grant", ORGANIZATION, "5", "--note", "-refund"], "--note=VALUE"],
])("%j is a wrong line", async (line, remedy) => {
	const ended = await admin(...line);
	expect(ended).toMatchObject({ exitCode: 2, stdout: "" });
	expect(ended.stderr).toContain(remedy);
});

test("a line without a command gets the help", async () => {
	expect(await admin()).toMatchObject({
		exitCode: 2,
		stdout: "",
		stderr: expect.stringContaining("quota grant <organization> <units>"),
	});
	const { exitCode, stderr } = await admin("--json");
	expect([exitCode, JSON.parse(stderr)]).toMatchObject([
		2,
		{ error: { code: "usage" } },
	]);
});

test("a reader who leaves early makes no error", async () => {
	const main = fileURLToPath(new URL("./main.ts", import.meta.url));
	const child = spawn(process.execPath, [main, "--help"]);
	child.stdout.destroy();
	expect(await text(child.stderr)).toBe("");
	expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
});

test("without a running system, an address or a good token the sentence says so", async () => {
	const dir = await mkdtemp(join(tmpdir(), "airtower-data-"));
	const list = (env: Record<string, string>, ...more: string[]) =>
		runCli(["plans", "list", ...more], commands, env);
	const nowhere = await list({}, "--data-dir", dir);
	expect(nowhere).toMatchObject({ exitCode: 1, stdout: "" });
	expect(nowhere.stderr).toMatch(/npm start/);
	const rpcUrls = { accounts: NOWHERE };
	const adminKeyFile = identitySettings("admin").IDENTITY_KEY_FILE;
	const file = { adminKeyFile, rpcUrls };
	await writeFile(join(dir, "dev.json"), JSON.stringify(file));
	for (const dead of [await list({}, "--data-dir", dir), await list(ENV)])
		expect(dead.stderr).toBe(
			"The service did not respond; is the system running?\n",
		);
	expect((await list({ AIRTOWER_ADMIN_TOKEN: "x" })).stderr).toBe(
		"AIRTOWER_ACCOUNTS_RPC_URL is not set: it names the address of the accounts service.\n",
	);
	const noKey = { AIRTOWER_ADMIN_KEY_FILE: join(dir, "dev.json") };
	expect((await list(noKey)).stderr).toMatch(
		/^AIRTOWER_ADMIN_KEY_FILE must name a private Ed25519 key in JSON /,
	);
	const noToken = { AIRTOWER_ADMIN_TOKEN_FILE: join(dir, "none") };
	expect((await list(noToken)).stderr).toBe(
		"AIRTOWER_ADMIN_TOKEN_FILE: the file is empty or cannot be read.\n",
	);
	await rm(dir, { recursive: true });
});

test("a token file is looked for where the user is", async () => {
	const dir = await mkdtemp(join(tmpdir(), "airtower-token-"));
	await writeFile(join(dir, "token"), "secret");
	vi.stubEnv("INIT_CWD", dir);
	const ids = ["--provider-number-id", "1", "--provider-account-id", "2"];
	const register = [
		"numbers",
		"register",
		ORGANIZATION,
		"+33612345678",
		...ids,
	];
	const { stderr } = await admin(...register, "--token-file", "token");
	expect(stderr).toMatch(/^The service did not respond; /);
	await rm(dir, { recursive: true });
});

test.each([
	"2030-02-31T12:00:00Z",
	"2030-01-31T24:00:00Z",
	"2030-01-31T12:00:00",
	"2030-01-31",
	"2030-01-31T12:00:00+99:00",
	"tomorrow",
])("a key does not expire at %s", async (time) => {
	const issue = ["keys", "issue", ORGANIZATION, "ci", "--expires-at", time];
	const ended = await admin(...issue);
	expect(ended.exitCode).toBe(2);
	expect(ended.stderr).toContain(`with its offset like 2030-01-31T12:00:00Z`);
});

test.each(["2030-01-31T12:00:00Z", "2032-02-29T23:30:00.5+05:30"])(
	"a key may expire at %s",
	async (time) => {
		const issue = ["keys", "issue", ORGANIZATION, "ci", "--expires-at", time];
		expect((await admin(...issue)).stderr).toMatch(/^The service did not/);
	},
);

test("behind mutual TLS a command shows the services' certificate", async () => {
	const server = makeCertificate("server");
	const client = makeCertificate("client");
	const { port, close } = await startTestServer({
		tls: () => ({ ...server, ca: client.cert }),
	});
	const dir = await mkdtemp(join(tmpdir(), "airtower-tls-"));
	const path = (name: string) => join(dir, name);
	await writeFile(path("cert"), client.cert);
	await writeFile(path("key"), client.key);
	await writeFile(path("ca"), server.cert);
	const env = {
		AIRTOWER_ADMIN_TOKEN: "token",
		AIRTOWER_WEBHOOKS_RPC_URL: `https://127.0.0.1:${port}`,
	};
	const files = {
		RPC_TLS_CERT_FILE: path("cert"),
		RPC_TLS_KEY_FILE: path("key"),
		RPC_TLS_CA_FILE: path("ca"),
	};
	const ask = ["deliveries", "list", GRANT];
	const { stderr } = await runCli(ask, commands, { ...env, ...files });
	expect(stderr).toMatch(
		/^The (admin token was refused|service does not know)/,
	);
	expect((await runCli(ask, commands, env)).stderr).toMatch(
		/^The service did not respond/,
	);
	await close();
	await rm(dir, { recursive: true });
});
