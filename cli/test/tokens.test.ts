import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyFile } from "@airtower/dev/secrets/identity-keys";
import { parseSigningKey } from "@airtower/platform/identity/signing-key";
import { parseTrustedKeys } from "@airtower/platform/identity/trusted-keys";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(sharedSystem);
const ORGANIZATION = "018f0000-0000-7000-8000-000000000001";

let dir: string;
beforeAll(async () => {
	dir = await mkdtemp(join(tmpdir(), "airtower-tokens-"));
});
afterAll(() => rm(dir, { recursive: true }));

const modeOf = async (file: string) => (await stat(file)).mode & 0o777;

test("a token is issued to a person, readable by its owner alone, and the audit shows the name", async () => {
	const { json, adminWith, newOrganization } = use;
	const out = join(dir, "ada.token");
	const issue = ["tokens", "issue", "--name", "Ada Lovelace", "--hours", "2"];
	const issued = await json<{ expires_at: string }>(...issue, "--out", out);
	expect(issued).toMatchObject({ name: "Ada Lovelace", file: out });
	const leftMs = Date.parse(issued.expires_at) - Date.now();
	expect(Math.abs(leftMs - 7_200_000)).toBeLessThan(60_000);
	expect(await modeOf(out)).toBe(0o600);
	const { name } = await newOrganization();
	const withToken = {
		AIRTOWER_ADMIN_TOKEN_FILE: out,
		AIRTOWER_ADMIN_KEY_FILE: "",
	};
	const change = ["organizations", "state", name, "suspended"];
	expect(await adminWith(withToken, ...change)).toMatchObject({ exitCode: 0 });
	const listed = ["audit", "list", "--organization", name, "--limit", "1"];
	expect(await json(...listed)).toMatchObject([
		{ action: "set_organization_state", actor: "Ada Lovelace" },
	]);
});

test("a token is shown when no file is named, and serves by itself", async () => {
	const issue = ["tokens", "issue", "--name", "Ada"];
	const { token } = await use.json<{ token: string }>(...issue);
	const withToken = {
		AIRTOWER_ADMIN_TOKEN: token,
		AIRTOWER_ADMIN_KEY_FILE: "",
	};
	const list = ["dead-letters", "list", "webhooks"];
	expect(await use.adminWith(withToken, ...list)).toMatchObject({
		exitCode: 0,
	});
});

const ada = ["tokens", "issue", "--name", "Ada"];
describe.each<[string, string[], number, RegExp]>([
	["no name", ["tokens", "issue"], 2, /--name/],
	["an empty name", ["tokens", "issue", "--name", ""], 2, /--name must be 1/],
	["a name of two lines", [...ada.slice(0, 3), "A\nB"], 2, /--name must be 1/],
	["13 hours", [...ada, "--hours", "13"], 2, /--hours must be at most 12/],
	["no hours", [...ada, "--hours", "0"], 2, /--hours must be 1 to 12/],
	["half an hour", [...ada, "--hours", "0.5"], 2, /must be a whole number/],
	[
		"no key there",
		[...ada, "--key-file", "/nowhere"],
		1,
		/^--key-file: the file cannot be read\.$/m,
	],
	[
		"an issuer that is none",
		["signing-keys", "create", "Billing", "--out", "/nowhere"],
		2,
		/^No such key is made: iss: must be a service's name/,
	],
	[
		"a team without organizations",
		["signing-keys", "create", "team:billing", "--out", "/nowhere"],
		2,
		/a team's key names its organizations/,
	],
	[
		"an organization that is no id",
		["signing-keys", "create", "team:a", "--out", "/x", "--organizations", "b"],
		2,
		/^No such key is made: organizations\.0: /,
	],
])("with %s", (_what, line, exitCode, sentence) => {
	test("the line is refused in a sentence", async () => {
		const outcome = await use.admin(...line);
		expect(outcome).toMatchObject({ exitCode, stdout: "" });
		expect(outcome.stderr).toMatch(sentence);
	});
});

test("the key of a service issues no token, and a file that exists is kept", async () => {
	const gateway = keyFile(use.system.keysDir, "gateway");
	expect((await use.admin(...ada, "--key-file", gateway)).stderr).toBe(
		'--key-file: the key is that of "gateway", not of "admin".\n',
	);
	const out = join(dir, "kept");
	await writeFile(out, "mine");
	expect((await use.admin(...ada, "--out", out)).stderr).toMatch(
		/^--out: .*kept exists already\.$/m,
	);
	expect(await readFile(out, "utf8")).toBe("mine");
});

test("a new signing key is readable by its owner alone, and its entry can be trusted as it is shown", async () => {
	const out = join(dir, "billing.json");
	const create = ["signing-keys", "create", "team:billing", "--out", out];
	const { trusted_key } = await use.json<{ trusted_key: string }>(
		...create,
		...["--organizations", ORGANIZATION],
	);
	expect(await modeOf(out)).toBe(0o600);
	const { id } = parseSigningKey(await readFile(out, "utf8"));
	const trusted = parseTrustedKeys(`{"keys":[${trusted_key}]}`);
	expect(trusted.get(id)).toMatchObject({
		issuer: "team:billing",
		organizations: [ORGANIZATION],
	});
	expect(trusted_key).not.toContain('"d"');
});
