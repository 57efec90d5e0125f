import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { platformMigrations } from "../../database/migrate.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { testEvent } from "../../testing/event-bus.ts";
import { silentLog } from "../../testing/log.ts";
import { createPostgresEventBus } from "./event-bus.ts";
import { deleteLapsedGroups, publishRecords, registerGroup } from "./groups.ts";
import { deleteUnclaimedRecords, findRecords } from "./records.ts";

let db: TestDatabase;
let topic: string;

beforeAll(async () => {
	db = await testDatabase([platformMigrations.bus]);
});

afterAll(() => db.drop());

beforeEach(() => {
	topic = `topic.${Math.random()}`;
});

const LONG_AGO = "1 hour";

async function silence(group: string): Promise<void> {
	await db.sql`
		update subscriptions
		set heartbeat_at = now() - ${LONG_AGO}::interval
		where group_name = ${group}
	`;
}

async function waiting(group: string): Promise<number> {
	return (await findRecords(db.sql, group, [topic])).length;
}

describe("groups in PostgreSQL", () => {
	it("drops an ephemeral group whose process is silent, with all that waits for it", async () => {
		const group = { topics: [topic], ephemeral: true };
		await registerGroup(db.sql, { ...group, group: "silent" });
		await registerGroup(db.sql, { ...group, group: "alive" });
		await publishRecords(db.sql, [testEvent({ topic })]);
		await silence("silent");
		expect(await deleteLapsedGroups(db.sql, 60_000)).toBe(1);
		expect(await waiting("silent")).toBe(0);
		expect(await waiting("alive")).toBe(1);
	});

	it("keeps a durable group however long it is away", async () => {
		const group = { topics: [topic], ephemeral: false };
		await registerGroup(db.sql, { ...group, group: "durable" });
		await silence("durable");
		expect(await deleteLapsedGroups(db.sql, 60_000)).toBe(0);
		await publishRecords(db.sql, [testEvent({ topic })]);
		expect(await waiting("durable")).toBe(1);
	});

	it("keeps events for the first durable group although an ephemeral one gets them too", async () => {
		const ephemeral = { topics: [topic], ephemeral: true };
		await registerGroup(db.sql, { ...ephemeral, group: "cache" });
		await publishRecords(db.sql, [testEvent({ topic })]);
		const durable = { topics: [topic], ephemeral: false };
		await registerGroup(db.sql, { ...durable, group: "late" });
		expect(await waiting("late")).toBe(1);
		await registerGroup(db.sql, { ...durable, group: "later" });
		expect(await waiting("later")).toBe(0);
	});

	it("drops events that no group came for after their retention", async () => {
		await publishRecords(db.sql, [testEvent({ topic })]);
		expect(await deleteUnclaimedRecords(db.sql, 60_000)).toBe(0);
		await db.sql`
			update records
			set published_at = now() - ${LONG_AGO}::interval
			where topic = ${topic}
		`;
		expect(await deleteUnclaimedRecords(db.sql, 60_000)).toBe(1);
	});

	it("claims at most about 8 MB at a time, and one record however big", async () => {
		const group = { topics: [topic], ephemeral: false };
		await registerGroup(db.sql, { ...group, group: "big" });
		const payload = Buffer.alloc(900_000);
		for (let round = 0; round < 3; round++)
			await publishRecords(
				db.sql,
				Array.from({ length: 5 }, () => testEvent({ topic, payload })),
			);
		expect(await waiting("big")).toBe(9);
	});
});

describe("the event bus in PostgreSQL", () => {
	it("makes its schema, also when several processes start at once", async () => {
		const schema = `${db.schema}_new`;
		const settings = { databaseUrl: db.url, schema, clientId: "test" };
		const opened = await Promise.all(
			[1, 2, 3].map(() =>
				createPostgresEventBus({ ...settings, log: silentLog }),
			),
		);
		for (const bus of opened) expect(await bus.health()).toBe("ok");
		await Promise.all(opened.map((bus) => bus.close()));
		await db.sql`drop schema ${db.sql(schema)} cascade`;
	});

	it("rejects when its database cannot be reached", async () => {
		const settings = { databaseUrl: "postgres://127.0.0.1:1/none" };
		await expect(
			createPostgresEventBus({ ...settings, clientId: "test", log: silentLog }),
		).rejects.toThrow("ECONNREFUSED");
	});
});
