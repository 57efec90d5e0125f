import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connectDatabase } from "../../database/database.ts";
import { platformMigrations } from "../../database/migration/migration-set.ts";
import { type TestDatabase, testDatabase } from "../../testing/database.ts";
import { testEvent } from "../../testing/event-bus.ts";
import { eventually } from "../../testing/eventually.ts";
import { silentLog } from "../../testing/log.ts";
import { startWire } from "../../testing/wire.ts";
import {
	appendEvents,
	createPostgresEventBus,
	deleteOldEvents,
} from "./event-bus.ts";
import {
	findEnd,
	findEvents,
	findOffsets,
	insertOffsets,
	moveOffsets,
} from "./subscription.ts";

let db: TestDatabase;
let topic: string;

beforeAll(async () => {
	db = await testDatabase([
		platformMigrations.bus,
		platformMigrations.singletons,
	]);
});

afterAll(() => db.drop());

beforeEach(() => {
	topic = `topic.${Math.random()}`;
});

function publish(count = 1, payload = Buffer.from("x")): Promise<void> {
	const events = Array.from({ length: count }, () =>
		testEvent({ topic, payload }),
	);
	return appendEvents(db.sql, events);
}

/** Events that wait for a group. */
async function waiting(group: string): Promise<number> {
	const offsets = await findOffsets(db.sql, group, [topic]);
	return (await findEvents(db.sql, offsets)).length;
}

async function finish(group: string): Promise<void> {
	await moveOffsets(db.sql, group, await findEnd(db.sql, [topic]));
}

async function age(interval: string): Promise<void> {
	await db.sql`
		update events
		set published_at = now() - ${interval}::interval
		where topic = ${topic}
	`;
}

describe("the log in PostgreSQL", () => {
	it("keeps an event until every durable group has dealt with it, and a minute longer for ephemeral ones", async () => {
		for (const group of ["quick", "away"])
			await insertOffsets(db.sql, group, [topic]);
		await publish();
		await finish("quick");
		expect(await waiting("quick")).toBe(0);
		await age("30 days");
		expect(await deleteOldEvents(db.sql, 10)).toBe(0);
		expect(await waiting("away")).toBe(1);
		await finish("away");
		await age("59 seconds");
		expect(await deleteOldEvents(db.sql, 10)).toBe(0);
		await age("61 seconds");
		expect(await deleteOldEvents(db.sql, 10)).toBe(1);
	});

	it("keeps events of a topic for a day until its first durable group comes", async () => {
		await publish(2);
		await age("23 hours");
		expect(await deleteOldEvents(db.sql, 10)).toBe(0);
		await insertOffsets(db.sql, "late", [topic]);
		expect(await waiting("late")).toBe(2);
		await db.sql`delete from group_positions where topic = ${topic}`;
		await age("25 hours");
		expect(await deleteOldEvents(db.sql, 10)).toBe(2);
	});

	it("never moves a group back, nor begins it anew", async () => {
		await insertOffsets(db.sql, "group", [topic]);
		const before = await findEnd(db.sql, [topic]);
		await publish();
		await finish("group");
		await moveOffsets(db.sql, "group", before);
		await insertOffsets(db.sql, "group", [topic]);
		expect(await waiting("group")).toBe(0);
	});

	it("reads at most about 8 MB at a time, and one event however big", async () => {
		await insertOffsets(db.sql, "big", [topic]);
		for (let round = 0; round < 3; round++)
			await publish(5, Buffer.alloc(900_000));
		expect(await waiting("big")).toBe(9);
	});

	it("commits events in the order of their positions", async () => {
		await Promise.all(Array.from({ length: 20 }, () => publish(3)));
		let offsets = new Map([[topic, 0]]);
		const seen: number[] = [];
		const publishing = Promise.all(
			Array.from({ length: 20 }, () => publish(3)),
		);
		await eventually(async () => {
			for (const { position } of await findEvents(db.sql, offsets)) {
				seen.push(position);
				offsets = new Map([[topic, position]]);
			}
			expect(seen).toHaveLength(120);
		});
		await publishing;
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

it("lets others publish while a publisher stands still", async () => {
	const url = new URL(db.url);
	const wire = await startWire(Number(url.port));
	url.port = String(wire.port);
	const still = connectDatabase({
		url: url.href,
		schema: db.schema,
		poolSize: 1,
		applicationName: db.schema,
	});
	await still`select 1`;
	const turn = Promise.withResolvers<void>();
	const taken = Promise.withResolvers<void>();
	const before = db.sql.begin(async (sql) => {
		await sql`select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('bus.log'))`;
		taken.resolve();
		await turn.promise;
	});
	await taken.promise;
	const late = appendEvents(still, [testEvent({ topic })]);
	await eventually(async () => expect(await waitingForLocks()).toBe(1));
	wire.hold();
	turn.resolve();
	await before;
	await publish();
	wire.release();
	await late;
	await still.end();
});

async function waitingForLocks(): Promise<number> {
	const waiting = await db.sql`
		select
		from pg_stat_activity
		where application_name = ${db.schema}
		and wait_event = 'advisory'
	`;
	return waiting.count;
}
