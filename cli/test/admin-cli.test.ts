import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cloudApiNumber } from "@airtower/dev/start/simulators";
import { eventually } from "@airtower/platform/testing/eventually";
import { startHttpSms } from "@airtower/simulators/http-sms/http-sms";
import { twilioDialect } from "@airtower/simulators/http-sms/twilio";
import { expect, onTestFinished, test } from "vitest";
import { ownSystem, useSystem } from "./support/admin-system.ts";
import { mendDeadLetters, publishUnreadable } from "./support/dead-letters.ts";

const REDRIVE = ["dead-letters", "redrive", "webhooks", "webhooks"];

const use = useSystem(ownSystem);

test("an admin makes an organization that can send, follows a message and closes it again", async () => {
	const { json, newOrganization, requestSender, send } = use;
	const { id, name } = await newOrganization();
	await json("plans", "put", "bulk", "--requests-per-minute", "60000");
	expect(await json("organizations", "plan", name, "bulk")).toMatchObject({
		plan: "bulk",
	});
	const balances = [];
	for (const units of ["10", "-4"])
		balances.push(await json("quota", "grant", name, units));
	expect(balances).toMatchObject([{ balance: 10 }, { balance: 6 }]);
	await requestSender(id, "Acme");
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
	expect(await json("deliveries", "count", name)).toEqual([]);
	await eventually(async () => {
		expect(await json("routes", "list")).toMatchObject([
			{
				code: "simulator",
				takes_new_messages: true,
				connections: 1,
				connections_wanted: 1,
				last_error: "",
			},
		]);
	});
	expect(await json("routes", "reconnect", "simulator")).toEqual({
		route: "simulator",
		processes: 1,
	});
	expect(await json("keys", "list", name)).toMatchObject([
		{ id: key.id, name: "ci", status: "active", scopes: "sms:send" },
	]);
	await json("keys", "revoke", name, key.id);
	expect(await json("keys", "list", name)).toEqual([]);
	await json("organizations", "state", name, "closed");
	expect(await json("organizations", "list", "--limit", "500")).toContainEqual(
		expect.objectContaining({ name, state: "closed", balance: 5 }),
	);
});

test("an admin lists unknown messages and decides what became of them", async () => {
	const { json, newOrganization, requestSender, send, sql } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Silent");
	await json("senders", "approve", name, "Silent");
	const key = await json<{ secret: string }>("keys", "issue", name, "all");
	const messageId = await send(key.secret, "+33612340006");
	await eventually(async () => {
		expect(await json("messages", "trace", messageId)).toMatchObject({
			status: "submitted",
		});
	});
	// As if the operator had not responded: the time-out takes a minute.
	await sql`update messaging.messages set status = 'unknown' where id = ${messageId}`;
	await sql`
		insert into messaging.dispatch (message_id, organization_id, route, attempt, unknown, due_at, expires_at)
		values (${messageId}, ${id}, 'simulator', 1, true, now() + interval '1 hour', now() + interval '1 day')
	`;
	await sql`
		insert into messaging.unanswered (message_id, attempt, route, recipient_tail, sent_at)
		values (${messageId}, 1, 'simulator', '2340006', now())
	`;
	const list = () => json("messages", "list", "--status", "unknown");
	expect(await list()).toContainEqual(
		expect.objectContaining({
			message_id: messageId,
			organization_id: id,
			to: "*******0006",
			route: "simulator",
			attempts: 1,
		}),
	);
	expect(await json("messages", "resolve", messageId, "failed")).toEqual({
		message_id: messageId,
		outcome: "failed",
		status: "failed",
	});
	expect(await list()).toEqual([]);
	expect(await json("messages", "trace", messageId)).toMatchObject({
		status: "failed",
		reason: "operator_error",
	});
});

test("an admin finds what waits for a decision, and what is wrong", async () => {
	const { admin, json, newOrganization, post, requestSender, send } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Waiting");
	const waiting = { organization_id: id, organization: name, value: "Waiting" };
	const pending = () => json("senders", "pending");
	expect(await pending()).toContainEqual(expect.objectContaining(waiting));
	await json("senders", "approve", name, "Waiting");
	expect(await pending()).not.toContainEqual(expect.objectContaining(waiting));

	const key = await json<{ secret: string }>("keys", "issue", name, "all");
	const refused = await send(key.secret, "+33612340003");
	await eventually(async () => {
		expect(await json("messages", "trace", refused)).toMatchObject({
			status: "failed",
			operator_error: "0x0B",
			operator_error_means: "invalid destination address",
		});
	});

	const url = "http://127.0.0.1:9/callbacks";
	const events = ["message.delivered"];
	await post("/webhooks", key.secret, { url, subscribed_events: events });
	expect(await json("endpoints", "list", name)).toMatchObject([
		{ url, events: "message.delivered", status: "active" },
	]);
	await use.sql`
		with disabled as (
			update webhooks.endpoints
			set status = 'disabled', disabled_reason = 'gone', disabled_at = now()
			where organization_id = ${id}
			returning id
		)
		insert into webhooks.dead_deliveries (event_id, endpoint_id, attempt, error)
		select gen_random_uuid(), id, 1, 'gone'
		from disabled
	`;
	const redriven = await admin("deliveries", "redrive", name);
	expect(redriven.stdout).toMatch(
		/^REDRIVEN +0\nSTILL DEAD +1\n\nDeliveries that are still dead /m,
	);

	await post("/campaigns", key.secret, {
		name: "Sale",
		content: "Hello",
		senderName: "Waiting",
		recipients: ["+33612345678"],
	});
	await eventually(async () => {
		expect(await json("campaigns", "list", name)).toMatchObject([
			{ name: "Sale", audience: 1, accepted: 1 },
		]);
	});
});

test("an admin registers a WhatsApp number and rules its templates", async () => {
	const { admin, json, newOrganization } = use;
	const { name } = await newOrganization();
	const tokenFile = join(use.system.dataDir, "token");
	await writeFile(tokenFile, `${use.system.cloudApiToken}\n`);
	const { phone, providerPhoneNumberId, providerAccountId } = cloudApiNumber;
	const number = await json<{ id: string }>(
		...["numbers", "register", name, phone, "--token-file", tokenFile],
		...["--provider-number-id", providerPhoneNumberId],
		...["--provider-account-id", providerAccountId],
	);
	expect(await json("numbers", "list", name)).toMatchObject([
		{ id: number.id, phone, status: "active" },
	]);
	await json("templates", "sync", name);
	const templates = await json<{ id: string }[]>("templates", "list", name);
	const id = templates[0]?.id ?? "";
	expect(await json("templates", "disable", name, id)).toMatchObject({
		id,
		locally_disabled: true,
	});
	expect(await json("templates", "enable", name, id)).toMatchObject({
		id,
		locally_disabled: false,
	});
	const unknown = await admin("templates", "disable", name, "nonsense");
	expect(unknown).toMatchObject({ exitCode: 1, stdout: "" });
	expect(await json("numbers", "remove", name, phone)).toMatchObject({
		id: number.id,
		status: "removed",
	});
	expect(await json("numbers", "list", name)).toEqual([]);
});

test.each(["campaigns", "webhooks"])(
	"the dead letters of %s can be listed, and those of an unknown group not redriven",
	async (service) => {
		expect(await use.json("dead-letters", "list", service)).toEqual([]);
		const redrive = ["dead-letters", "redrive", service, "none"];
		expect(await use.admin(...redrive)).toMatchObject({
			exitCode: 1,
			stderr: expect.stringMatching(/^There is no such group; .*\n$/),
		});
	},
);

test("an event that cannot be applied is parked, and applied again once it can be", async () => {
	const { admin, json } = use;
	const letters = () =>
		json<Record<string, unknown>[]>("dead-letters", "list", "webhooks");
	const event_id = await publishUnreadable(use.sql);
	await eventually(async () => expect(await letters()).toHaveLength(1));
	const [letter] = await letters();
	expect(letter).toMatchObject({
		group: "webhooks",
		type: "delivered",
		attempts: 1,
		event_id,
		organization_id: "o",
	});
	const people = await admin("dead-letters", "list", "webhooks");
	expect(people.stdout).toMatch(/^ID +GROUP +TYPE +EVENT ID .*\n\d+ /);
	const failed = await admin(...REDRIVE, "--json");
	expect(failed).toMatchObject({ exitCode: 1, stderr: "" });
	expect(JSON.parse(failed.stdout)).toMatchObject({ applied: 0, failed: 1 });
	expect(await letters()).toMatchObject([{ event_id, attempts: 2 }]);
	await mendDeadLetters(use.sql);
	const redriven = await json(...REDRIVE, "--ids", String(letter?.id));
	expect(redriven).toMatchObject({ applied: 1, failed: 0 });
	expect(await letters()).toEqual([]);
});

test("an admin discards an event that can never be applied, which the audit keeps", async () => {
	const { admin, json } = use;
	const letters = () =>
		json<Record<string, unknown>[]>("dead-letters", "list", "webhooks");
	const subject = await publishUnreadable(use.sql);
	await eventually(async () => expect(await letters()).toHaveLength(1));
	const [letter] = await letters();
	const discard = ["dead-letters", "discard", "webhooks", "webhooks"];
	expect(await admin(...discard)).toMatchObject({ exitCode: 2 });
	const ids = ["--ids", String(letter?.id)];
	expect(await json(...discard, ...ids)).toMatchObject({ discarded: 1 });
	expect(await letters()).toEqual([]);
	expect(await json("audit", "list", "--limit", "1")).toMatchObject([
		{ action: "discard_dead_letters", subject },
	]);
});

test("an admin adds an operator, tests, changes, drains and removes it, and never sees its password", async () => {
	const { admin, json, system } = use;
	const { host } = new URL(system.smsc?.smppUrl ?? "");
	const folder = await mkdtemp(join(tmpdir(), "airtower-routes-"));
	onTestFinished(() => rm(folder, { recursive: true }));
	const passwordFile = async (password: string) => {
		const file = join(folder, password);
		await writeFile(file, `${password}\n`);
		return ["--password-file", file];
	};
	const add = ["routes", "add", "eu", `smpp://airtower@${host}`, "window=20"];
	const added = await json(
		...[...add, "--paused", ...(await passwordFile("simulate"))],
	);
	expect(added).toMatchObject({
		code: "eu",
		kind: "smpp",
		state: "paused",
		version: 1,
		settings: expect.arrayContaining([
			{ setting: "password", value: "set" },
			{ setting: "window", value: "20" },
		]),
	});
	expect(await json("routes", "test", "eu")).toEqual({
		route: "eu",
		passed: true,
		result: `bound at ${host}`,
	});
	const wrong = await passwordFile("wrong");
	expect(await admin("routes", "test", "eu", ...wrong)).toMatchObject({
		exitCode: 1,
		stdout: expect.stringContaining("bind refused: 0x0E (wrong password)"),
	});
	const set = await json("routes", "set", "eu", "window=", "rate=50");
	expect(set).toMatchObject({ version: 2 });
	expect(JSON.stringify(set)).not.toMatch(/window|simulate/);
	expect(await json("routes", "resume", "eu")).toMatchObject({
		state: "active",
	});
	await eventually(async () => {
		expect(await json("routes", "list")).toMatchObject([
			{ code: "simulator", state: "active", takes_new_messages: true },
			{ code: "eu", state: "active", connections: 1 },
		]);
	});
	expect(await json("routes", "pause", "eu")).toMatchObject({
		state: "paused",
	});
	expect(await json("routes", "drain", "eu")).toMatchObject({
		state: "draining",
	});
	await eventually(async () =>
		expect(await json("routes", "remove", "eu")).toMatchObject({
			state: "removed",
		}),
	);
	expect(await json("routes", "show", "eu")).toMatchObject({
		state: "removed",
	});
	const audit = await json<{ action: string }[]>("audit", "list");
	expect(JSON.stringify(audit)).not.toContain("simulate");
	expect(audit.map(({ action }) => action)).toEqual(
		expect.arrayContaining(["add_route", "test_route", "set_route_state"]),
	);
});

test("an admin adds an operator that is called over HTTP; its messages end by its callbacks to the gateway", async () => {
	const { json, system, newOrganization, requestSender, send } = use;
	const authToken = "twilio-auth-token";
	const dialect = twilioDialect({ accountSid: "AC01", authToken });
	const twilio = await startHttpSms({ dialect });
	const folder = await mkdtemp(join(tmpdir(), "airtower-routes-"));
	onTestFinished(async () => {
		await twilio.close();
		await rm(folder, { recursive: true });
	});
	const secrets = join(folder, "secrets.json");
	await writeFile(secrets, JSON.stringify({ token: authToken }));
	const callback = new URL("/callbacks/sms/tw", system.baseUrl).href;
	const added = await json(
		...["routes", "add", "tw", twilio.url, "preset=twilio", "account=AC01"],
		...[`callback=${callback}`, "--settings-file", secrets, "--paused"],
	);
	expect(added).toMatchObject({
		...{ code: "tw", kind: "http", state: "paused" },
		inbound_url: `${callback}/inbound`,
	});
	expect(JSON.stringify(added)).not.toContain(authToken);
	expect(await json("routes", "test", "tw")).toMatchObject({
		passed: true,
		result: expect.stringContaining("let the account in"),
	});
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "1000");
	await requestSender(id, "Acme");
	await json("senders", "approve", name, "Acme");
	const { secret } = await json<{ secret: string }>(
		...["keys", "issue", name, "ci", "--scopes", "sms:send"],
	);
	await json("routes", "resume", "tw");
	await json("routes", "drain", "simulator");
	let sent = await send(secret);
	await eventually(async () => {
		const row = await json<{ route: string; status: string }>(
			...["messages", "trace", sent],
		);
		// Accepted before all processes knew of the change.
		if (row.route === "simulator") sent = await send(secret);
		expect(row).toMatchObject({ route: "tw", status: "delivered" });
	});
	// Its response comes after what it said is stored.
	await eventually(() => expect(twilio.callbackStatuses).toContain(200));
	await json("routes", "resume", "simulator");
	await json("routes", "drain", "tw");
	await eventually(async () =>
		expect(await json("routes", "remove", "tw")).toMatchObject({
			state: "removed",
		}),
	);
});

test.each([
	[["routes", "set", "eu"], 2, "Name at least one setting"],
	[["routes", "set", "eu", "window"], 2, "name=value"],
	[["routes", "set", "eu", "window=1", "window=2"], 2, "given twice"],
	[["routes", "set", "eu", "password=x"], 2, "--password-file"],
	[["routes", "set", "simulator", "window=0"], 1, 'option "window" must be'],
	[["routes", "set", "simulator", "windw=5"], 1, 'option "windw" is unknown'],
	[["routes", "show", "nowhere"], 1, "no route of this code"],
	[["routes", "remove", "simulator"], 1, "drain it"],
])("%j is refused with a sentence", async (args, exitCode, sentence) => {
	expect(await use.admin(...args)).toMatchObject({
		exitCode,
		stderr: expect.stringContaining(sentence),
	});
});

test("an admin asks why receipts are parked; what is no proposal changes nothing", async () => {
	const { admin, json } = use;
	const listed = await admin("receipts", "list", "--json");
	expect(listed.exitCode).toBe(0);
	const found = await json("receipts", "diagnose", "simulator");
	expect(found).toMatchObject({ routes: "simulator" });
	const before = await json("routes", "show", "simulator");
	const refused = await admin("receipts", "apply", "simulator", "ids=octal");
	expect(refused).toMatchObject({
		exitCode: 1,
		stderr: expect.stringContaining("like ids=hex-dec, account=acme"),
	});
	expect(await json("routes", "show", "simulator")).toEqual(before);
	const nobody = await admin("receipts", "diagnose", "nobody");
	expect(nobody).toMatchObject({
		exitCode: 1,
		stderr: expect.stringContaining("admin receipts list shows those that are"),
	});
});

test("an admin rules which messages take a route, sees why, and what a rule closes", async () => {
	const { admin, json, newOrganization, requestSender, send } = use;
	const { id, name } = await newOrganization();
	await json("quota", "grant", name, "10");
	await requestSender(id, "Ruled");
	await json("senders", "approve", name, "Ruled");
	const key = await json<{ secret: string }>("keys", "issue", name, "all");
	const french = ["rules", "add", "simulator", "--prefix", "+33"];
	const added = await admin(...french, "--organization", name, "--json");
	expect(added).toMatchObject({
		exitCode: 0,
		stderr: expect.stringContaining("all others are refused as no_route"),
	});
	const rule = JSON.parse(added.stdout);
	expect(rule).toMatchObject({
		prefix: "+33",
		organization_id: id,
		route: "simulator",
		version: 1,
	});
	const listed = await admin("rules", "list", "--json");
	expect(JSON.parse(listed.stdout)).toMatchObject({
		version: 1,
		rules: [{ id: rule.id, prefix: "+33", priority: 1, weight: 1 }],
	});
	const explain = ["routes", "explain", "--from", "Ruled", "--to"];
	const organization = ["--organization", name];
	expect(await json(...explain, "+33612345678", ...organization)).toMatchObject(
		{ route: "simulator", rules_version: 1, left_out: [] },
	);
	const closed = await admin(...explain, "+447400123456", "--json");
	expect(JSON.parse(closed.stdout)).toMatchObject({
		route: "",
		refusal: "no_route",
		left_out: [{ route: "simulator", reason: "no_rule" }],
	});
	const messageId = await eventually(() => send(key.secret));
	expect(await json("messages", "trace", messageId)).toMatchObject({
		route: "simulator",
		rules_version: 1,
	});
	const wrong = await admin("rules", "add", "simulator", "--prefix", "33");
	expect(wrong).toMatchObject({
		exitCode: 1,
		stderr:
			'--prefix must be + and 1 to 9 digits, for example +33, not "33".\n',
	});
	const removed = await admin("rules", "remove", String(rule.id), "--json");
	expect(removed).toMatchObject({
		exitCode: 0,
		stderr: expect.stringContaining("There are no rules any more"),
	});
});
