import { DeadLetterService } from "@airtower/proto/ops/v1/dead_letters";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, expect, it } from "vitest";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { uuidv7 } from "../runtime/ids.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { serveRoutes, type TestRpcServer } from "../testing/rpc-server.ts";
import { deadLetterRoute } from "./dead-letter-service.ts";
import { insertDeadLetter } from "./dead-letters.ts";
import type { BusEvent } from "./event-bus.ts";

let db: TestDatabase;
let server: TestRpcServer;
const applied: string[] = [];

beforeAll(async () => {
	db = await testDatabase([platformMigrations.inbox, platformMigrations.audit]);
	const groups = [
		{ group: "idle", apply: async () => {} },
		{
			group: "work",
			apply: async (_: unknown, events: BusEvent[]) => work(events),
		},
	];
	server = await serveRoutes("test", [deadLetterRoute(db.sql, groups)]);
});

afterAll(async () => {
	await server.close();
	await db.drop();
});

/** Events of the type "bad" are refused for ever. */
function work(events: readonly BusEvent[]): void {
	for (const { id, type } of events) {
		if (type === "bad") throw new Error("still bad");
		applied.push(id);
	}
}

function clientOf(issuer = "admin", organization = "*") {
	return server.client(DeadLetterService, { issuer, organization });
}

async function park(type: string): Promise<string> {
	const id = uuidv7();
	const event = { id, type, topic: "t", key: "k", organizationId: "o" };
	const payload = new Uint8Array();
	const error = new Error("bad");
	await insertDeadLetter(db.sql, "work", { ...event, payload }, error);
	return id;
}

it("lists what is parked, applies what can be applied and keeps the rest with its new failure", async () => {
	const good = await park("good");
	const bad = await park("bad");
	const before = await clientOf().listDeadLetters({});
	expect(before.groups).toEqual(["idle", "work"]);
	expect(before.deadLetters).toMatchObject([
		{ eventId: good, group: "work", attempts: 1, detail: "bad", topic: "t" },
		{ eventId: bad, group: "work", attempts: 1 },
	]);
	expect(await clientOf().redriveDeadLetters({ group: "work" })).toMatchObject({
		applied: 1,
		failed: 1,
	});
	expect(applied).toEqual([good]);
	const { deadLetters } = await clientOf().listDeadLetters({});
	expect(deadLetters).toMatchObject([
		{ eventId: bad, attempts: 2, detail: "still bad" },
	]);
});

it("records each event that it applies in its transaction: without an entry in the audit it is not applied", async () => {
	const id = await park("good");
	const redrive = () => clientOf().redriveDeadLetters({ group: "work" });
	const lettersOf = () =>
		db.sql`select from dead_letters where event_id = ${id}`;
	await db.sql`alter table audit_entries rename to away`;
	await redrive();
	expect(await lettersOf()).toHaveLength(1);
	await db.sql`alter table away rename to audit_entries`;
	await redrive();
	expect(await lettersOf()).toHaveLength(0);
	const entries = await db.sql`
		select action, after from audit_entries where subject = ${id}
	`;
	expect(entries).toEqual([
		{
			action: "redrive_dead_letters",
			after: { group: "work", type: "good" },
		},
	]);
});

it("applies only the letters that are named, and knows no other group", async () => {
	const kept = await park("good");
	const ids = [9_999_999n];
	expect(
		await clientOf().redriveDeadLetters({ group: "work", ids }),
	).toMatchObject({ applied: 0, failed: 0 });
	expect(applied).not.toContain(kept);
	await expect(
		clientOf().redriveDeadLetters({ group: "other" }),
	).rejects.toMatchObject({ code: Code.NotFound });
	await expect(
		clientOf().redriveDeadLetters({ group: "" }),
	).rejects.toMatchObject({ code: Code.InvalidArgument });
});

it("discards the letters of the group that are named, each with an entry in the audit or not at all", async () => {
	const eventIds = [await park("bad"), await park("bad")];
	const kept = () => db.sql<{ id: bigint; eventId: string }[]>`
		select id, event_id as "eventId"
		from dead_letters
		where event_id = any(${eventIds})
		order by dead_letters.id
	`;
	const ids = (await kept()).map(({ id }) => BigInt(id)).slice(0, 1);
	const discard = (group: string, named = ids) =>
		clientOf().discardDeadLetters({ group, ids: named });
	expect(await discard("idle")).toMatchObject({ discarded: 0 });
	await db.sql`alter table audit_entries rename to away`;
	await expect(discard("work")).rejects.toThrow();
	await db.sql`alter table away rename to audit_entries`;
	expect(await kept()).toHaveLength(2);
	expect(await discard("work")).toMatchObject({ discarded: 1 });
	expect(await discard("work")).toMatchObject({ discarded: 0 });
	expect(await kept()).toMatchObject([{ eventId: eventIds[1] }]);
	const entries = await db.sql`
		select action, before from audit_entries where subject = any(${eventIds})
	`;
	expect(entries).toEqual([
		{
			action: "discard_dead_letters",
			before: { group: "work", type: "bad", reason: "Error" },
		},
	]);
	await expect(discard("other")).rejects.toMatchObject({ code: Code.NotFound });
	await expect(discard("work", [])).rejects.toMatchObject({
		code: Code.InvalidArgument,
	});
	await db.sql`delete from dead_letters where event_id = any(${eventIds})`;
});

it("lists the oldest thousand of a group, with word of more", async () => {
	expect((await clientOf().listDeadLetters({})).more).toBe(false);
	await db.sql`
		insert into dead_letters (
			consumer_group, event_id, topic, type, key, organization_id, payload, reason, detail
		)
		select 'idle', gen_random_uuid(), 't', 'bad', 'k', 'o', '', 'r', nth
		from generate_series(1, 1001) as nth
	`;
	const { deadLetters, more } = await clientOf().listDeadLetters({});
	const idle = deadLetters.filter(({ group }) => group === "idle");
	expect(idle.map(({ detail }) => Number(detail))).toEqual(
		Array.from({ length: 1_000 }, (_, nth) => nth + 1),
	);
	expect(more).toBe(true);
});

it("serves only an admin of every organization", async () => {
	for (const client of [clientOf("gateway"), clientOf("admin", uuidv7())]) {
		await expect(client.listDeadLetters({})).rejects.toMatchObject({
			code: Code.PermissionDenied,
		});
		await expect(
			client.redriveDeadLetters({ group: "work" }),
		).rejects.toMatchObject({ code: Code.PermissionDenied });
		await expect(
			client.discardDeadLetters({ group: "work", ids: [1n] }),
		).rejects.toMatchObject({ code: Code.PermissionDenied });
	}
});
