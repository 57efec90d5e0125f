import { randomUUID } from "node:crypto";
import { commands } from "@airtower/cli/commands";
import { runCli } from "@airtower/cli/run-cli";
import { keyFile } from "@airtower/dev/secrets/identity-keys";
import { identitySettings } from "@airtower/platform/testing/identities";
import { expect, test } from "vitest";
import { sharedSystem, useSystem } from "./support/admin-system.ts";

const NO_ORGANIZATION = "There is no such organization.\n";

const REGISTRATION = [
	"--provider-number-id",
	"9",
	"--provider-account-id",
	"9",
	"--token-file",
	"package.json",
];

const use = useSystem(sharedSystem);

test("people get a table, and words where there is nothing", async () => {
	const { admin, newOrganization } = use;
	const { name } = await newOrganization();
	const plans = await admin("plans", "list");
	expect(plans.stdout).toMatch(
		/^NAME +REQUESTS PER MINUTE +ORGANIZATION REQUESTS PER MINUTE +CREATED AT\n/,
	);
	expect(plans.stdout).toMatch(/^default +3000 +12000 /m);
	expect(await admin("senders", "list", name)).toMatchObject({
		exitCode: 0,
		stdout: "The organization has no sender IDs.\n",
	});
});

test("a refusal is one sentence for people, a code for machines, and exit code 1", async () => {
	const { admin } = use;
	expect(await admin("organizations", "show", "Nobody")).toEqual({
		exitCode: 1,
		stdout: "",
		stderr: NO_ORGANIZATION,
	});
	const codes = [
		[["organizations", "show", "Nobody"], "unknown_organization"],
		[["messages", "trace", randomUUID()], "unknown_message"],
	] as const;
	for (const [line, code] of codes) {
		const { exitCode, stderr } = await admin(...line, "--json");
		expect([exitCode, JSON.parse(stderr)]).toMatchObject([
			1,
			{ error: { code } },
		]);
	}
});

test.each([
	[
		["organizations", "create", "X", "--email", "nope"],
		'--email must be an address like ops@example.com, not "nope".',
	],
	[
		[
			"organizations",
			"create",
			"X",
			"--email",
			"a@b.example",
			"--country",
			"France",
		],
		'--country must be a country of two letters, for example FR, not "France".',
	],
	[
		["plans", "put", "Big!", "--requests-per-minute", "5"],
		'<plan> must be 1 to 50 of a-z, 0-9, _ and -, a letter first, not "Big!".',
	],
	[
		["plans", "put", "big", "--requests-per-minute", "0"],
		'--requests-per-minute must be a whole number from 1 to 1000000, not "0".',
	],
	[
		["rules", "add", "simulator", "--choose", "luck"],
		'--choose must be weight or cost, not "luck".',
	],
	[
		["rules", "list", "--version", "-1"],
		'--version must be a whole number from 0, not "-1".',
	],
])(
	"%j is refused by the name of its option, with what would be right",
	async (line, sentence) => {
		expect(await use.admin(...line)).toEqual({
			exitCode: 1,
			stdout: "",
			stderr: `${sentence}\n`,
		});
	},
);

test("what an organization's commands refuse is named as the line names it", async () => {
	const { name } = await use.newOrganization();
	const lines = [
		[["organizations", "state", name, "asleep"], "<state> must be trial, "],
		[["organizations", "plan", name, "none"], "<plan> must be the name of a "],
		[["quota", "grant", name, "0"], "<units> must be a whole number other "],
		[["keys", "issue", name, "k", "--scopes", "x"], "--scopes must be of sc"],
		[
			["keys", "issue", name, "k", "--expires-at", "2020-01-01T00:00:00Z"],
			"--expires-at must be a time in the future, ",
		],
		[
			["numbers", "register", name, "0612", ...REGISTRATION],
			"<phone> must be a number like +33612345678, ",
		],
	] as const;
	for (const [line, begin] of lines) {
		const { stderr } = await use.admin(...line);
		expect(stderr.slice(0, begin.length)).toBe(begin);
	}
});

test.each([
	["numbers", "register", "+33612345678", ...REGISTRATION],
	["numbers", "list"],
	["senders", "list"],
	["senders", "approve", "Acme"],
	["templates", "list"],
	["deliveries", "count"],
	["deliveries", "redrive"],
])(
	"%s %s is refused for an id that no organization has",
	async (group, name, ...more) => {
		expect(await use.admin(group, name, randomUUID(), ...more)).toEqual({
			exitCode: 1,
			stdout: "",
			stderr: NO_ORGANIZATION,
		});
	},
);

test("a closed organization gets no number", async () => {
	const { name } = await use.newOrganization();
	await use.json("organizations", "state", name, "closed");
	const register = ["numbers", "register", name, "+33612345678"];
	expect(await use.admin(...register, ...REGISTRATION)).toMatchObject({
		exitCode: 1,
		stderr: "The organization is closed and may not send.\n",
	});
});

test("a machine is told beside the document that there is more", async () => {
	await use.newOrganization();
	await use.newOrganization();
	const list = ["organizations", "list", "--limit", "1", "--json"];
	const { exitCode, stdout, stderr } = await use.admin(...list);
	expect([exitCode, JSON.parse(stdout).length]).toEqual([0, 1]);
	expect(stderr).toBe("There are more; a larger --limit shows them.\n");
});

test("the admins' key serves in place of a token, another's does not", async () => {
	const list = (AIRTOWER_ADMIN_KEY_FILE: string) =>
		runCli(["plans", "list"], commands, {
			AIRTOWER_ACCOUNTS_RPC_URL: use.system.addresses.accounts.rpcUrl,
			AIRTOWER_ADMIN_KEY_FILE,
		});
	const { keysDir } = use.system;
	expect(await list(keyFile(keysDir, "admin"))).toMatchObject({
		exitCode: 0,
		stderr: "",
	});
	expect((await list(keyFile(keysDir, "gateway"))).stderr).toBe(
		'AIRTOWER_ADMIN_KEY_FILE: the key is that of "gateway", not of "admin".\n',
	);
	const foreign = identitySettings("admin").IDENTITY_KEY_FILE;
	expect((await list(foreign)).stderr).toMatch(
		/^The admin token was refused\. /,
	);
});
