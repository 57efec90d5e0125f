import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { transaction } from "../database/database.ts";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { testEvent } from "../testing/event-bus.ts";
import { MAX_PAYLOAD_BYTES } from "./event-bus.ts";
import {
	appendToOutbox,
	deleteOutboxEntries,
	findOutboxEntries,
	outboxDepth,
} from "./outbox.ts";

let db: TestDatabase;

beforeAll(async () => {
	db = await testDatabase([platformMigrations.outbox]);
});

afterAll(() => db.drop());

beforeEach(() => db.sql`truncate outbox`);

describe("the outbox", () => {
	it("returns events whole and in the order of their appending", async () => {
		const events = [
			testEvent({ traceparent: "00-1-2-01", key: "b" }),
			testEvent({ payload: Buffer.from([0, 255]), key: "a" }),
			testEvent({ payload: Buffer.alloc(0) }),
		];
		await transaction(db.sql, (sql) => appendToOutbox(sql, events));
		const entries = await findOutboxEntries(db.sql, 10);
		expect(entries.map(({ event }) => event)).toEqual(events);
		expect(await findOutboxEntries(db.sql, 2)).toHaveLength(2);
	});

	it("holds nothing of a transaction that was rolled back", async () => {
		const failing = transaction(db.sql, async (sql) => {
			await appendToOutbox(sql, [testEvent()]);
			throw new Error("changed my mind");
		});
		await expect(failing).rejects.toThrow("changed my mind");
		expect(await findOutboxEntries(db.sql, 10)).toEqual([]);
	});

	it("does not lose an entry whose transaction commits after a later one was published", async () => {
		const slow = Promise.withResolvers<void>();
		const [early, late] = [testEvent(), testEvent()];
		const appended = Promise.withResolvers<void>();
		const open = transaction(db.sql, async (sql) => {
			await appendToOutbox(sql, [early]);
			appended.resolve();
			await slow.promise;
		});
		await appended.promise;
		await transaction(db.sql, (sql) => appendToOutbox(sql, [late]));
		const first = await findOutboxEntries(db.sql, 10);
		expect(first.map(({ event }) => event.id)).toEqual([late.id]);
		slow.resolve();
		await open;
		await deleteOutboxEntries(
			db.sql,
			first.map(({ position }) => position),
		);
		const rest = await findOutboxEntries(db.sql, 10);
		expect(rest.map(({ event }) => event.id)).toEqual([early.id]);
	});

	it("refuses a payload that no bus would take", async () => {
		const payload = Buffer.alloc(MAX_PAYLOAD_BYTES + 1);
		await expect(
			transaction(db.sql, (sql) =>
				appendToOutbox(sql, [testEvent({ payload })]),
			),
		).rejects.toThrow(RangeError);
	});

	it("claims at most about 8 MB at a time", async () => {
		const events = Array.from({ length: 12 }, () =>
			testEvent({ payload: Buffer.alloc(900_000) }),
		);
		for (const event of events)
			await transaction(db.sql, (sql) => appendToOutbox(sql, [event]));
		expect(await findOutboxEntries(db.sql, 500)).toHaveLength(9);
	});

	it("tells how many events wait and for how long", async () => {
		expect(await outboxDepth(db.sql)).toEqual({ depth: 0, lagSeconds: 0 });
		await transaction(db.sql, (sql) =>
			appendToOutbox(sql, [testEvent(), testEvent()]),
		);
		await db.sql`update outbox set created_at = now() - interval '90 seconds'`;
		const { depth, lagSeconds } = await outboxDepth(db.sql);
		expect(depth).toBe(2);
		expect(lagSeconds).toBeGreaterThan(89);
		expect(lagSeconds).toBeLessThan(120);
	});
});
