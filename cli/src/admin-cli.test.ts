import { execFile, spawn } from "node:child_process";
import { randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import {
	adminAccessOf,
	createAdminClients,
} from "@airtower/dev/start/admin-clients";
import { cloudApiNumber } from "@airtower/dev/start/cloud-api-process";
import { ensureSender } from "@airtower/dev/start/provision";
import { loadSecrets } from "@airtower/dev/start/secrets";
import { startSystem } from "@airtower/dev/start/start-system";
import type { System } from "@airtower/dev/start/system";
import { eventually } from "@airtower/platform/testing/eventually";
import { testRpcClient } from "@airtower/platform/testing/rpc-client";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { topics } from "@airtower/proto/rules/topics";
import { create, toBinary } from "@bufbuild/protobuf";
import { timestampNow } from "@bufbuild/protobuf/wkt";
import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";

const MAIN = fileURLToPath(new URL("./main.ts", import.meta.url));
const SERVICES = [
	"accounts",
	"messaging",
	"whatsapp",
	"campaigns",
	"webhooks",
] as const;

const REDRIVE = ["dead-letters", "redrive", "webhooks", "webhooks"];

let dataDir: string;
let system: System;

beforeAll(async () => {
	dataDir = await mkdtemp(join(tmpdir(), "airtower-admin-"));
	await chmod(dataDir, 0o755);
	system = await startSystem({ dataDir });
});

afterAll(async () => {
	await system.stop();
	await rm(dataDir, { recursive: true, force: true });
});

interface Ended {
	readonly code: number;
	readonly stdout: string;
	readonly stderr: string;
}

function run(args: readonly string[], env: Record<string, string>) {
	return new Promise<Ended>((resolve) => {
		const options = { env: { PATH: process.env.PATH, ...env } };
		execFile(process.execPath, [MAIN, ...args], options, (error, out, err) =>
			resolve({
				code: error === null ? 0 : Number(error.code),
				stdout: out,
				stderr: err,
			}),
		);
	});
}

/** The CLI on the running system. */
function admin(...args: string[]): Promise<Ended> {
	const urls = SERVICES.map((name) => [
		`AIRTOWER_${name.toUpperCase()}_RPC_URL`,
		system.addresses[name].rpcUrl,
	]);
	const env = Object.fromEntries(urls) as Record<string, string>;
	return run(args, { ...env, AIRTOWER_ADMIN_TOKEN: system.adminToken });
}

/** What the CLI tells a machine; fails the test when it does not succeed. */
async function json<T = Record<string, unknown>>(...args: string[]) {
	const ended = await admin(...args, "--json");
	expect(ended).toMatchObject({ code: 0, stderr: "" });
	return JSON.parse(ended.stdout) as T;
}

async function newOrganization(): Promise<string> {
	const name = `Org ${randomUUID()}`;
	await json("organizations", "create", name, "--email", "a@example.com");
	return name;
}

function senders() {
	return testRpcClient({
		service: MessagingService,
		baseUrl: system.addresses.messaging.rpcUrl,
		audience: "messaging",
		signer: { tokenFor: async () => system.adminToken },
	});
}

test("an operator makes an organization that can send, follows a message and closes it again", async () => {
	const name = await newOrganization();
	await json("plans", "put", "bulk", "--requests-per-minute", "60000");
	expect(await json("organizations", "plan", name, "bulk")).toMatchObject({
		plan: "bulk",
	});
	expect(await json("quota", "grant", name, "10")).toMatchObject({
		balance: 10,
	});
	expect(await json("quota", "grant", name, "-4")).toMatchObject({
		balance: 6,
	});
	const { id } = await json<{ id: string }>("organizations", "show", name);
	await senders().requestSenderId({ organizationId: id, value: "Acme" });
	expect(await json("senders", "approve", name, "Acme")).toMatchObject({
		status: "approved",
		is_default: true,
	});
	const key = await json<{ id: string; secret: string }>(
		...["keys", "issue", name, "ci", "--scopes", "sms:send"],
	);
	const messageId = await send(key.secret);
	await eventually(async () => {
		expect(await json("messages", "trace", messageId)).toMatchObject({
			channel: "sms",
			status: "delivered",
			parts: [{ number: 1, status: "delivered" }],
		});
	});
	expect(await json("deliveries", "list", messageId)).toEqual([]);
	await eventually(async () => {
		expect(await json("routes", "list")).toMatchObject([
			{
				...{ code: "simulator", takes_new_messages: true },
				...{ connections: 1, connections_wanted: 1, last_error: "" },
			},
		]);
	});
	expect(await json("keys", "list", name)).toMatchObject([
		{ id: key.id, name: "ci", status: "active", scopes: "sms:send" },
	]);
	await json("keys", "revoke", name, key.id);
	expect(await json("keys", "list", name)).toEqual([]);
	await json("organizations", "state", name, "closed");
	const listed = await json<{ name: string; state: string }[]>(
		...["organizations", "list", "--limit", "500"],
	);
	expect(listed).toContainEqual(
		expect.objectContaining({ name, state: "closed", balance: 5 }),
	);
});

async function send(secret: string, to = "+33612345678"): Promise<string> {
	const message = { to, message: "Hello" };
	const { status, body } = await post("/sms/send", secret, message);
	expect(status).toBe(202);
	return (body as { provider: { messageId: string } }).provider.messageId;
}

async function post(path: string, secret: string, body: unknown) {
	const answer = await fetch(`${system.baseUrl}${path}`, {
		method: "POST",
		headers: {
			authorization: `Bearer ${secret}`,
			"content-type": "application/json",
		},
		body: JSON.stringify(body),
	});
	return { status: answer.status, body: await answer.json() };
}

test("an operator finds what waits for a decision, and what is wrong", async () => {
	const name = await newOrganization();
	const { id } = await json<{ id: string }>("organizations", "show", name);
	await json("quota", "grant", name, "10");
	await senders().requestSenderId({ organizationId: id, value: "Waiting" });
	const pending = () => json<Record<string, unknown>[]>("senders", "pending");
	expect(await pending()).toContainEqual(
		expect.objectContaining({
			...{ organization_id: id, organization: name, value: "Waiting" },
		}),
	);
	await json("senders", "approve", name, "Waiting");
	expect(await pending()).not.toContainEqual(
		expect.objectContaining({ organization_id: id }),
	);

	const key = await json<{ secret: string }>("keys", "issue", name, "all");
	const refused = await send(key.secret, "+33612340003");
	await eventually(async () => {
		expect(await json("messages", "trace", refused)).toMatchObject({
			status: "failed",
			operator_error: "0x0B",
		});
	});

	const url = "http://127.0.0.1:9/callbacks";
	const events = ["message.delivered"];
	await post("/webhooks", key.secret, { url, subscribed_events: events });
	expect(await json("endpoints", "list", name)).toMatchObject([
		{ url, events: "message.delivered", status: "active" },
	]);
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	try {
		await sql`
			insert into webhooks.deliveries (event_id, endpoint_id, organization_id, state)
			values (gen_random_uuid(), gen_random_uuid(), ${id}, 'dead')
		`;
	} finally {
		await sql.end();
	}
	const redriven = await admin("deliveries", "redrive", name);
	expect(redriven.stdout).toMatch(/^REDRIVEN +0\nSTILL DEAD +1\n\nWhat is /m);

	await post("/campaigns", key.secret, {
		...{ name: "Sale", content: "Hello", senderName: "Waiting" },
		recipients: ["+33612345678"],
	});
	await eventually(async () => {
		expect(await json("campaigns", "list", name)).toMatchObject([
			{ name: "Sale", audience: 1, accepted: 1 },
		]);
	});
});

test("a sender that the operator has suspended stays so at the next start", async () => {
	const name = await newOrganization();
	const { id } = await json<{ id: string }>("organizations", "show", name);
	const clients = createAdminClients(adminAccessOf(system));
	await ensureSender(clients, id, "Acme");
	const acme = { value: "Acme", status: "approved" };
	expect(await json("senders", "list", name)).toMatchObject([acme]);
	await json("senders", "suspend", name, "Acme", "--reason", "Abuse");
	await ensureSender(clients, id, "Acme");
	expect(await json("senders", "list", name)).toMatchObject([
		{ ...acme, status: "suspended" },
	]);
});

test("an operator registers a WhatsApp number and rules its templates", async () => {
	const name = await newOrganization();
	const tokenFile = join(dataDir, "token");
	await writeFile(tokenFile, `${system.cloudApiToken}\n`);
	const { phone, providerPhoneNumberId, providerAccountId } = cloudApiNumber;
	const number = await json<{ id: string }>(
		...["numbers", "register", name, phone],
		...["--provider-number-id", providerPhoneNumberId],
		...["--provider-account-id", providerAccountId],
		...["--token-file", tokenFile],
	);
	expect(await json("numbers", "list", name)).toMatchObject([
		{ id: number.id, phone, status: "active" },
	]);
	await json("templates", "sync", name);
	const templates = await json<{ id: string; status: string }[]>(
		...["templates", "list", name],
	);
	const [template] = templates;
	if (template === undefined) throw new Error("no template was read");
	expect(await json("templates", "disable", name, template.id)).toMatchObject({
		id: template.id,
		locally_disabled: true,
	});
	expect(await json("templates", "enable", name, template.id)).toMatchObject({
		id: template.id,
		locally_disabled: false,
	});
	const unknown = await admin("templates", "disable", name, "nonsense");
	expect(unknown).toMatchObject({ code: 1, stdout: "" });
});

test("a message that neither channel knows is refused", async () => {
	const ended = await admin("messages", "trace", randomUUID(), "--json");
	expect(ended.code).toBe(1);
	expect(JSON.parse(ended.stderr)).toMatchObject({
		error: { code: "unknown_message" },
	});
});

test("people get a table, and words where there is nothing", async () => {
	const name = await newOrganization();
	const plans = await admin("plans", "list");
	expect(plans.stdout).toMatch(/^NAME +REQUESTS PER MINUTE +CREATED AT\n/);
	expect(plans.stdout).toMatch(/^default +3000 /m);
	expect(await admin("senders", "list", name)).toMatchObject({
		code: 0,
		stdout: "The organization has no sender IDs.\n",
	});
	expect(await json("deliveries", "count", name)).toEqual([]);
	expect(await json("deliveries", "redrive", name)).toMatchObject({
		redriven: 0,
	});
});

test.each(["campaigns", "webhooks"])(
	"the dead letters of %s can be listed, and those of an unknown group not redriven",
	async (service) => {
		expect(await json("dead-letters", "list", service)).toEqual([]);
		const ended = await admin("dead-letters", "redrive", service, "none");
		expect(ended.code).toBe(1);
		expect(ended.stderr).toMatch(/^There is no such group; .*\n$/);
	},
);

test("an event that cannot be applied is parked, and applied again once it can be", async () => {
	const sql = postgres(system.adminDatabaseUrl, { max: 1 });
	const letters = () =>
		json<Record<string, unknown>[]>("dead-letters", "list", "webhooks");
	const eventId = randomUUID();
	try {
		await sql`
			insert into messaging.outbox (event_id, topic, type, key, organization_id, payload)
			values (${eventId}, ${topics.messagingOutcome}, 'delivered', 'k', 'o', 'no protobuf')
		`;
		await eventually(async () => expect(await letters()).toHaveLength(1));
		const [letter] = await letters();
		expect(letter).toMatchObject({
			group: "webhooks",
			type: "delivered",
			event_id: eventId,
			organization_id: "o",
			attempts: 1,
		});
		const people = await admin("dead-letters", "list", "webhooks");
		expect(people.stdout).toMatch(/^ID +GROUP +TYPE +EVENT ID .*\n\d+ /);
		const failed = await admin(...REDRIVE, "--json");
		expect(failed).toMatchObject({ code: 1, stderr: "" });
		expect(JSON.parse(failed.stdout)).toMatchObject({ applied: 0, failed: 1 });
		expect(await letters()).toMatchObject([{ event_id: eventId, attempts: 2 }]);
		const outcome = create(MessageOutcomeSchema, {
			messageId: randomUUID(),
			organizationId: randomUUID(),
			status: "delivered",
			occurredAt: timestampNow(),
		});
		await sql`
			update webhooks.dead_letters
			set payload = ${Buffer.from(toBinary(MessageOutcomeSchema, outcome))}
		`;
		const id = String(letter?.id);
		expect(await json(...REDRIVE, "--ids", id)).toMatchObject({
			applied: 1,
			failed: 0,
		});
		expect(await letters()).toEqual([]);
	} finally {
		await sql.end();
	}
});

test("a refusal is one sentence for people, a code for machines, and exit code 1", async () => {
	expect(await admin("organizations", "show", "Nobody")).toEqual({
		code: 1,
		stdout: "",
		stderr: "There is no such organization.\n",
	});
	const ended = await admin("organizations", "show", "Nobody", "--json");
	expect(JSON.parse(ended.stderr)).toMatchObject({
		error: { code: "unknown_organization" },
	});
});

test.each([
	["numbers", "register", "+33612345678"],
	["numbers", "list"],
	["senders", "list"],
	["senders", "approve", "Acme"],
	["templates", "list"],
	["deliveries", "count"],
	["deliveries", "redrive"],
])(
	"%s %s is refused for an id that no organization has",
	async (group, name, ...more) => {
		const ids = ["--provider-number-id", "9", "--provider-account-id", "9"];
		const token = join(dataDir, "token");
		await writeFile(token, "EAAG");
		const options = name === "register" ? [...ids, "--token-file", token] : [];
		expect(
			await admin(group, name, randomUUID(), ...more, ...options),
		).toMatchObject({
			code: 1,
			stdout: "",
			stderr: "There is no such organization.\n",
		});
	},
);

test("a closed organization gets no number", async () => {
	const name = await newOrganization();
	await json("organizations", "state", name, "closed");
	const ids = ["--provider-number-id", "9", "--provider-account-id", "9"];
	const token = join(dataDir, "token");
	await writeFile(token, "EAAG");
	const { code, stderr } = await admin(
		...["numbers", "register", name, "+33612345678", ...ids],
		...["--token-file", token],
	);
	expect([code, stderr]).toEqual([
		1,
		"The organization is closed and may not send.\n",
	]);
});

test("a machine is told beside the document that there is more", async () => {
	await newOrganization();
	await newOrganization();
	const { code, stdout, stderr } = await admin(
		...["organizations", "list", "--limit", "1", "--json"],
	);
	expect([code, JSON.parse(stdout).length]).toEqual([0, 1]);
	expect(stderr).toBe("There are more; --limit shows them.\n");
});

test("a reader who leaves early makes no error", async () => {
	const child = spawn(process.execPath, [MAIN, "--help"]);
	child.stdout.destroy();
	expect(await text(child.stderr)).toBe("");
	expect(child.exitCode ?? (await once(child, "exit"))[0]).toBe(0);
});

test("a wrong command line ends with exit code 2 and the nearest word", async () => {
	const ended = await admin("organizations", "shwo", "Nobody");
	expect(ended.code).toBe(2);
	expect(ended.stderr).toMatch(/did you mean "organizations show"\?/);
	expect((await admin()).code).toBe(2);
	expect((await admin("--help")).code).toBe(0);
});

test("a list of nothing is refused and does not mean all", async () => {
	const name = await newOrganization();
	const issue = ["keys", "issue", name, "ci", "--scopes"];
	for (const words of [issue, [...REDRIVE, "--ids"]])
		for (const nothing of ["", ","])
			expect(await admin(...words, nothing)).toEqual({
				code: 2,
				stdout: "",
				stderr: expect.stringMatching(
					`^${words.at(-1)} lists nothing; name at least one, or leave it away for all\\. `,
				),
			});
});

test("the services' keys serve in place of a token", async () => {
	const { callerTokenKeys } = await loadSecrets(dataDir);
	const env = { AIRTOWER_ACCOUNTS_RPC_URL: system.addresses.accounts.rpcUrl };
	const listed = await run(["plans", "list"], {
		...env,
		CALLER_TOKEN_KEYS: callerTokenKeys,
	});
	expect(listed).toMatchObject({ code: 0, stderr: "" });
	const foreign = `k1:${randomBytes(32).toString("base64")}`;
	const refused = await run(["plans", "list"], {
		...env,
		CALLER_TOKEN_KEYS: foreign,
	});
	expect(refused.stderr).toMatch(/^The admin token was refused\. /);
	const malformed = await run(["plans", "list"], { CALLER_TOKEN_KEYS: "x" });
	expect(malformed).toMatchObject({ code: 1, stdout: "" });
	expect(malformed.stderr).toMatch(/^CALLER_TOKEN_KEYS must be keys like /);
});

test("without a running system, an address or a good token the sentence says so", async () => {
	const nowhere = await run(["plans", "list", "--data-dir", "/nowhere"], {});
	expect(nowhere).toMatchObject({ code: 1, stdout: "" });
	expect(nowhere.stderr).toMatch(/npm start/);
	const token = { AIRTOWER_ADMIN_TOKEN: "forged" };
	expect((await run(["plans", "list"], token)).stderr).toBe(
		"AIRTOWER_ACCOUNTS_RPC_URL is not set: it names the address of the accounts service.\n",
	);
	const url = system.addresses.accounts.rpcUrl;
	const forged = { ...token, AIRTOWER_ACCOUNTS_RPC_URL: url };
	expect((await run(["plans", "list"], forged)).stderr).toMatch(
		/^The admin token was refused\. /,
	);
	const dead = { ...token, AIRTOWER_ACCOUNTS_RPC_URL: "http://127.0.0.1:9" };
	expect((await run(["plans", "list"], dead)).stderr).toBe(
		"The service did not answer; is the system running?\n",
	);
});
