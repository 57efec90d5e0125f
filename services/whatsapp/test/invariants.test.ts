import { transaction } from "@airtower/platform/database/database";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
	type MessageState,
	NEXT_MESSAGE_STATES,
} from "../src/domain/message-state.ts";
import { expireMessages } from "../src/jobs/expire-messages.ts";
import { rescueDispatch } from "../src/jobs/rescue-dispatch.ts";
import { migrations } from "../src/migrations.ts";
import { upsertTemplates } from "../src/store/template-changes.ts";
import { giveLine, release, renew } from "./support/lives/admin-steps.ts";
import {
	applyCallbacks,
	eraseUser,
	expectErased,
	publish,
	tellAll,
	usersOf,
} from "./support/lives/callback-steps.ts";
import {
	letLeaseRunOut,
	passTime,
	respond,
} from "./support/lives/process-steps.ts";
import { runStep, type Step, steps } from "./support/lives/steps.ts";
import { type Sent, World } from "./support/lives/world.ts";

/** More than any message or callback needs to come to rest. */
const ROUNDS = 5;

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase(migrations);
	await database.sql.unsafe(`
		create table status_log (message_id uuid, old_status text, new_status text);
		create function log_status() returns trigger language plpgsql as $$
		begin
			insert into status_log values (new.id, old.status, new.status);
			return null;
		end $$;
		create trigger log_status after update on messages
		for each row when (old.status <> new.status)
		execute function log_status();
	`);
});
afterAll(() => database.drop());

async function live(steps: readonly Step[]): Promise<World> {
	const { sql } = database;
	await sql`
		truncate callbacks, messages, dispatch, conversations, phone_numbers, pacing, templates, accounts,
			marketing_preferences, suspended_organizations, outbox, leases, idempotency_keys, erasures, status_log cascade
	`;
	const world = new World(database);
	for (const [nth, place] of [0, 0, 1].entries())
		await addLine(world, nth, world.organizations[place] ?? "");
	for (const id of world.organizations) await addTemplate(id);
	await world.startProcess();
	for (const name of ["write", "write", "callbacks", "accept"])
		await runStep(world, { name, seed: 1 });
	for (const step of steps) await runStep(world, step);
	await rest(world);
	return world;
}

async function addLine(world: World, nth: number, organizationId: string) {
	const line = {
		phone: `+1555000${1_000 + nth}`,
		providerId: `10654035256${nth}`,
		token: "",
		owner: undefined,
	};
	world.lines.push(line);
	await giveLine(world, line, organizationId);
}

async function addTemplate(organizationId: string) {
	const template = {
		providerTemplateId: "1",
		name: "notice",
		language: "en_US",
		...({ category: "utility", status: "approved", body: "Hello" } as const),
		parameterCount: 0,
		parameterNames: undefined,
		bodyOnly: true,
	};
	await transaction(database.sql, (sql) =>
		upsertTemplates(sql, organizationId, "account", [template], new Date()),
	);
}

/** All that is late comes, the provider takes everything and tells what became of it, and the time of the rest is over. */
async function rest(world: World): Promise<void> {
	const { sql } = database;
	world.isCalm = true;
	respond(world, 1);
	await world.quiet();
	const last = await world.startProcess();
	for (const process of world.processes)
		if (process !== last) await letLeaseRunOut(process);
	await rescueDispatch(last.ctx);
	await release(world);
	for (let round = 0; round < ROUNDS; round++) {
		for (const line of world.lines) await renew(world, line);
		await passTime(world);
		await applyCallbacks(world, last);
		await last.ctx.dispatcher.round();
		await world.quiet();
		if (round > 0) continue;
		for (const user of usersOf(world))
			if (world.random() < 0.5) await eraseUser(world, user);
		await tellAll(world);
	}
	await tellAll(world);
	for (let round = 0; round < ROUNDS; round++) {
		await passTime(world);
		await applyCallbacks(world, last);
	}
	await sql`update messages set unknown_until = now() where status = 'unknown'`;
	await sql`update dispatch set expires_at = now()`;
	await expireMessages(last.ctx);
	await publish(world);
}

interface Row {
	readonly id: string;
	readonly organizationId: string;
	readonly status: MessageState;
	readonly code: string | null;
}

/** One end, told once, and the one that the provider knows. */
function expectTruth(world: World, sent: Sent, row: Row | undefined): void {
	expect(row).toBeDefined();
	const { status, code } = row as Row;
	const told = world.events.filter(({ messageId }) => messageId === sent.id);
	const end = status === "failed" ? code : "delivered";
	expect(told.map((event) => event.errorCode || event.status)).toEqual([end]);
	expect(code, "by another message's status").not.toBe("blocked");
	if (world.overdue.has(sent.id) && status === "failed") return;
	const taken = world.submits.filter(
		(one) => one.sent === sent && one.fate === "taken",
	);
	const ends = taken.map(({ end }) => end);
	// Of what it took and refused its word may come too late.
	if (taken.every(({ isRefused }) => isRefused)) ends.push("failed");
	expect(ends, `status ${status}, code ${code}`).toContain(status);
}

/** Each text once, and by nobody but the organization that had the number when it was written. */
async function expectHeard(world: World): Promise<void> {
	for (const table of ["messages", "conversations"]) {
		const strangers = await database.sql`
			select recipient, organization_id
			from ${database.sql(table)}
			where (substr(recipient, 2, 8), organization_id) not in (
				${database.sql.unsafe(
					world.organizations
						.map((id, pool) => `('3361240${pool + 2}', '${id}'::uuid)`)
						.join(", "),
				)}
			)
		`;
		expect(strangers, `${table} of somebody else's users`).toEqual([]);
	}
	const rows = await database.sql<{ wamid: string; numberId: string }[]>`
		select provider_message_id as wamid, phone_number_id as "numberId"
		from messages
		where direction = 'inbound'
	`;
	const written = new Map(world.heard.map((one) => [one.wamid, one.owner?.id]));
	for (const { wamid, numberId } of rows)
		if (!wamid.startsWith("erased-")) expect(numberId).toBe(written.get(wamid));
	const present = new Set(world.lines.map(({ owner }) => owner?.id));
	for (const id of new Set(written.values())) {
		const count = rows.filter(({ numberId }) => numberId === id).length;
		const most = world.heard.filter(({ owner }) => owner?.id === id).length;
		if (id !== undefined && present.has(id))
			expect(count).toBeGreaterThanOrEqual(most);
		if (!world.hasErasedBeside) expect(count).toBeLessThanOrEqual(most);
	}
}

test("whatever the provider, processes, clients, users and admins do: none goes twice, no state goes back, each message ends once and is told of once, no organization sees another's, and who is erased stands nowhere", async () => {
	const { sql } = database;
	await fc.assert(
		fc.asyncProperty(steps, async (steps) => {
			const world = await live(steps);
			const rows = await sql<Row[]>`
				select id, organization_id as "organizationId", status, error_code as code
				from messages
				where direction = 'outbound'
			`;
			expect(new Set(rows.map(({ id }) => id))).toEqual(
				new Set(world.sent.keys()),
			);
			const byId = new Map(rows.map((row) => [row.id, row]));
			for (const [id, sent] of world.sent) {
				expect(byId.get(id)?.organizationId).toBe(sent.organizationId);
				expectTruth(world, sent, byId.get(id));
			}
			await expectHeard(world);
			const changes = await sql<{ from: MessageState; to: MessageState }[]>`
				select old_status as from, new_status as to
				from status_log
			`;
			for (const { from, to } of changes)
				expect(NEXT_MESSAGE_STATES[from]).toContain(to);
			expect((await sql`select from dispatch`).count).toBe(0);
			const open = await sql`select from callbacks where state = 'stored'`;
			expect(open.count).toBe(0);
			for (const user of world.erased)
				await expectErased(world, user, ["callbacks"]);
			for (const user of usersOf(world))
				expect(await eraseUser(world, user)).toBe(0);
			expect(world.violations).toEqual([]);
		}),
		{ numRuns: 60 },
	);
});
