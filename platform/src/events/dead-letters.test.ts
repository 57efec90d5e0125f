import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type Tx, transaction } from "../database/database.ts";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { testEvent } from "../testing/event-bus.ts";
import { insertDeadLetter, listDeadLetters } from "./dead-letters.ts";
import type { BusEvent } from "./event-bus.ts";
import { deleteExpiredInboxRows, insertInboxRows } from "./inbox.ts";
import { redriveDeadLetters } from "./redrive-dead-letters.ts";

let db: TestDatabase;
let group: string;
let applied: string[];

beforeAll(async () => {
	db = await testDatabase([platformMigrations.inbox]);
});

afterAll(() => db.drop());

beforeEach(() => {
	group = `group.${Math.random()}`;
	applied = [];
});

/** Leaves a row of its own in the transaction, and refuses an event of the type "poison". */
async function apply(sql: Tx, events: BusEvent[]): Promise<void> {
	for (const { id, type } of events) {
		await insertInboxRows(sql, `${group}.effects`, [id]);
		if (type === "poison") throw new RangeError("poison");
		applied.push(id);
	}
}

async function park(...types: string[]): Promise<BusEvent[]> {
	const events = types.map((type) => testEvent({ type }));
	for (const event of events)
		await insertDeadLetter(db.sql, group, event, new TypeError("bug"));
	return events;
}

async function effects(): Promise<number> {
	const rows = await db.sql`
		select
		from inbox
		where consumer_group = ${`${group}.effects`}
	`;
	return rows.count;
}

it("dead letters are applied again in order, each with the removal of its letter", async () => {
	const events = await park("a", "b", "c");
	const all = { group, ids: "all" } as const;
	const result = await redriveDeadLetters(db.sql, all, apply);
	expect(result).toEqual({ applied: 3, failed: 0 });
	expect(applied).toEqual(events.map(({ id }) => id));
	expect(await listDeadLetters(db.sql, group)).toEqual([]);
});

it("letters that fail again stay with their new reason, without an effect, and do not touch the others", async () => {
	await park("a", "poison", "c");
	const all = { group, ids: "all" } as const;
	const result = await redriveDeadLetters(db.sql, all, apply);
	expect(result).toEqual({ applied: 2, failed: 1 });
	expect(await listDeadLetters(db.sql, group)).toMatchObject([
		{ attempts: 2, reason: "RangeError", detail: "poison" },
	]);
	expect(await effects()).toBe(2);
});

it("letters can be redriven one by one, and never another group's", async () => {
	const [event] = await park("a", "b");
	const [first] = await listDeadLetters(db.sql, group);
	const ids = [first?.id ?? 0];
	const foreign = { group: "another", ids };
	const result = await redriveDeadLetters(db.sql, foreign, apply);
	expect(result).toEqual({ applied: 0, failed: 0 });
	await redriveDeadLetters(db.sql, { group, ids }, apply);
	expect(applied).toEqual([event?.id]);
	expect(await listDeadLetters(db.sql, group)).toHaveLength(1);
});

it("an event is parked once", async () => {
	const [event] = await park("a");
	await transaction(db.sql, (sql) =>
		insertDeadLetter(sql, group, event as BusEvent, new Error("again")),
	);
	expect(await listDeadLetters(db.sql, group)).toMatchObject([
		{ reason: "TypeError", attempts: 1 },
	]);
});

it("parks what PostgreSQL's text cannot hold", async () => {
	const event = testEvent({ key: "a\u0000b", type: "\u0000" });
	const error = new TypeError("bad \u0000 bytes");
	await insertDeadLetter(db.sql, group, event, error);
	const [letter] = await listDeadLetters(db.sql, group);
	expect(letter?.event).toEqual({ ...event, key: "a\uFFFDb", type: "\uFFFD" });
	expect(letter?.detail).toBe("bad \uFFFD bytes");
});

it("the inbox forgets events after seven days, a limited number at a time", async () => {
	await db.sql`
		insert into inbox (consumer_group, event_id, received_at)
		select ${group}, gen_random_uuid(), now() - days * interval '1 day'
		from generate_series(1, 10) as days
	`;
	expect(await deleteExpiredInboxRows(db.sql, 2)).toBe(2);
	expect(await deleteExpiredInboxRows(db.sql, 100)).toBe(2);
	expect(await deleteExpiredInboxRows(db.sql, 100)).toBe(0);
});
