import { eventually } from "@airtower/platform/testing/eventually";
import { expect, test } from "vitest";
import { ownSystem, useSystem } from "./support/admin-system.ts";

const use = useSystem(ownSystem);

/** Tables of every service in which a row holds this text, also within bytes; the bus keeps events for a time. */
async function tablesWith(text: string): Promise<string[]> {
	const tables = await use.sql<{ schema: string; name: string }[]>`
		select nspname as schema, relname as name
		from pg_class
		join pg_namespace on pg_namespace.oid = relnamespace
		where relkind = 'r'
		and nspname not in ('pg_catalog', 'information_schema', 'bus')
	`;
	const bytes = Buffer.from(text).toString("hex");
	const found: string[] = [];
	for (const { schema, name } of tables) {
		const rows = await use.sql`
			select
			from ${use.sql(schema)}.${use.sql(name)} as one
			where position(${text} in one::text) > 0
			or position(${bytes} in one::text) > 0
			limit 1
		`;
		if (rows.length > 0) found.push(`${schema}.${name}`);
	}
	return found;
}

/** The command asks to be repeated: an outcome that was on the bus meanwhile is stored with its number afterwards. */
const ERASED = {
	exitCode: 0,
	stderr: "",
	stdout: expect.stringContaining(
		"repeat in a few minutes: admin privacy erase",
	),
};

async function sender() {
	const { id, name } = await use.newOrganization();
	await use.json("quota", "grant", name, "10");
	await use.requestSender(id, "Acme");
	await use.json("senders", "approve", name, "Acme");
	const issue = ["keys", "issue", name, "ci"];
	const scopes = "sms:send,contacts:write,webhooks:write";
	const { secret } = await use.json<{ secret: string }>(
		...issue,
		...["--scopes", scopes],
	);
	return { id, name, secret };
}

test("a number that an admin erases is in no table of any service, and a record says what was done", async () => {
	const { admin, json, post, send } = use;
	const { name, secret } = await sender();
	const phone = "+33612345679";
	await post("/contacts", secret, { name: "Ada of Paris", phone });
	const messageId = await send(secret, phone);
	await eventually(async () => {
		const trace = await json("messages", "trace", messageId);
		expect(trace).toMatchObject({ status: "delivered" });
		expect(await tablesWith(phone)).not.toContain("messaging.outbox");
	});
	expect(await tablesWith(phone)).toContainEqual(
		expect.stringMatching(/^messaging\.messages_/),
	);
	const erase = ["privacy", "erase", "--phone", "+33 6 12 34 56 79"];
	await eventually(async () => {
		expect(await admin(...erase)).toMatchObject(ERASED);
		expect(await tablesWith(phone)).toEqual([]);
	});
	expect(await tablesWith("Ada of Paris")).toEqual([]);
	const erasures = await json<Record<string, unknown>[]>("privacy", "erasures");
	expect(erasures).toContainEqual(
		expect.objectContaining({ service: "messaging", phone: "*******5679" }),
	);
	await json("privacy", "retention", name, "--body-days", "7");
	expect(await json("privacy", "retentions")).toMatchObject([{ body_days: 7 }]);
	await json("privacy", "retention", name, "--body-days", "default");
	expect(await json("privacy", "retentions")).toEqual([]);
});

test("a number that no numbering plan has any more is erased too, as it is written", async () => {
	const { admin, send } = use;
	const { secret } = await sender();
	// Benin put 01 before all its numbers in 2024.
	const [then, digits] = ["+22997123456", "22997123456"];
	const messageId = await send(secret, "+33612345680");
	await eventually(async () => {
		expect(await tablesWith("+33612345680")).not.toContain("messaging.outbox");
	});
	await use.sql`
		update messaging.messages
		set recipient = ${then}, status = 'delivered', finished_at = now()
		where id = ${messageId}
	`;
	await use.sql`delete from messaging.dispatch where message_id = ${messageId}`;
	await use.sql`
		insert into messaging.inbound_messages (id, route, sender, recipient, body, encoding, part_count, is_complete)
		values (${messageId}, 'smpp', ${digits}, '36111', 'a secret', 'gsm7', 1, true)
	`;
	await use.sql`
		insert into webhooks.events (id, organization_id, type, body, occurred_at, created_at, endpoint_ids)
		values (${messageId}, ${messageId}, 'message.received', ${`{"data":{"from":"${digits}","to":"36111","text":"a secret"}}`}, now(), now(), '{}')
	`;
	const erase = ["privacy", "erase", "--phone", "+229 97 12 34 56"];
	const refused = await admin(...erase);
	expect(refused.exitCode).toBe(2);
	expect(refused.stderr).toContain("--as-written");
	const erased = await admin(...erase, "--as-written");
	expect(erased).toMatchObject(ERASED);
	expect(erased.stdout).toContain(
		`admin privacy erase --phone ${then} --as-written\n`,
	);
	for (const text of [digits, "a secret"])
		expect(await tablesWith(text)).toEqual([]);
});

test("an organization that an admin erases has its name and e-mail address in no table of any service", async () => {
	const { admin, json } = use;
	const name = "Lovelace and Daughters";
	const email = "ada@lovelace.example";
	const create = ["organizations", "create", name, "--email", email];
	const { id } = await json<{ id: string }>(...create);
	await json("quota", "grant", name, "10");
	expect(await tablesWith(name)).toEqual(["accounts.organizations"]);
	const erase = ["privacy", "erase", "--organization"];
	const { stdout } = await admin(...erase, name);
	// By its name, which is gone, it is not found any more.
	expect(stdout).toContain(`admin ${erase.join(" ")} ${id}\n`);
	expect(await admin(...erase, id)).toMatchObject(ERASED);
	for (const gone of [name, email]) expect(await tablesWith(gone)).toEqual([]);
	expect(await json("organizations", "show", id)).toMatchObject({
		name: `erased-${id}`,
		balance: 10,
	});
});

test("privacy erase names a number or an organization", async () => {
	for (const [args, sentence] of [
		[[], '"privacy erase" needs --phone, --organization or both.'],
		[["--phone", "12"], "--phone must be a number in international form"],
		[["--phone", "+12", "--as-written"], "--phone must be a number"],
	] as const) {
		const outcome = await use.admin("privacy", "erase", ...args);
		expect(outcome.exitCode).toBe(2);
		expect(outcome.stderr).toContain(sentence);
	}
});
