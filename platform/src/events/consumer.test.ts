import {
	afterAll,
	afterEach,
	beforeAll,
	beforeEach,
	describe,
	expect,
	it,
} from "vitest";
import type { Tx } from "../database/database.ts";
import { platformMigrations } from "../database/migration/migration-set.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { createMetrics } from "../runtime/metrics.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import {
	type TestEventBus,
	testEvent,
	testEventBus,
} from "../testing/event-bus.ts";
import { eventually } from "../testing/eventually.ts";
import { silentLog } from "../testing/log.ts";
import { type ConsumerOptions, startConsumer } from "./consumer.ts";
import { type DeadLetter, listDeadLetters } from "./dead-letters.ts";
import type { BusEvent, Subscription } from "./event-bus.ts";

let db: TestDatabase;
let wire: TestEventBus;
let topic: string;
let consumers: Subscription[];

beforeAll(async () => {
	db = await testDatabase([platformMigrations.inbox]);
	wire = await testEventBus();
	await db.sql`
		create table effects (
			position bigserial,
			consumer text not null,
			event_id uuid not null,
			amount smallint not null
		)
	`;
});

afterAll(async () => {
	await wire.drop();
	await db.drop();
});

beforeEach(() => {
	topic = `topic.${Math.random()}`;
	consumers = [];
});

afterEach(() => Promise.all(consumers.map((consumer) => consumer.close())));

type Apply = (sql: Tx, events: BusEvent[]) => Promise<void>;

/** The payload is an amount in text; one beyond smallint is refused by the database. */
async function storeAmounts(sql: Tx, events: BusEvent[]): Promise<void> {
	for (const { id, topic, payload } of events) {
		const amount = String(payload);
		await sql`
			insert into effects (consumer, event_id, amount)
			values (${topic}, ${id}, ${amount}::int)
		`;
	}
}

function amount(
	value: number | string,
	fields: Partial<BusEvent> = {},
): BusEvent {
	return testEvent({ topic, payload: Buffer.from(String(value)), ...fields });
}

async function start(
	apply: Apply,
	fields: Partial<ConsumerOptions> = {},
): Promise<void> {
	const metrics = createMetrics("test");
	consumers.push(
		await startConsumer({
			sql: db.sql,
			bus: wire.bus,
			group: topic,
			topics: [topic],
			log: silentLog,
			metrics,
			apply,
			...fields,
		}),
	);
}

async function effects(): Promise<string[]> {
	const rows = await db.sql<{ id: string }[]>`
		select event_id as id
		from effects
		where consumer = ${topic}
		order by position
	`;
	return rows.map(({ id }) => id);
}

function expectEffects(events: readonly BusEvent[]): Promise<void> {
	return eventually(async () =>
		expect(await effects()).toEqual(events.map(({ id }) => id)),
	);
}

function parked(count: number): Promise<DeadLetter[]> {
	return eventually(async () => {
		const letters = await listDeadLetters(db.sql, topic);
		expect(letters).toHaveLength(count);
		return letters;
	});
}

describe("a consumer", () => {
	it("makes each effect once, however often an event comes", async () => {
		const events = [amount(1), amount(2), amount(3)];
		const [first] = events as [BusEvent];
		await start(storeAmounts);
		await wire.bus.publish([...events, first]);
		await wire.bus.publish(events);
		const last = amount(4);
		await wire.bus.publish([first, last]);
		await expectEffects([...events, last]);
	});

	it("gives the effect to each of two groups once", async () => {
		await start(storeAmounts);
		await start(storeAmounts, { group: `${topic}.other` });
		await wire.bus.publish([amount(1), amount(2)]);
		await eventually(async () => expect(await effects()).toHaveLength(4));
	});

	it("commits the effect and the record of it together", async () => {
		let crashes = 0;
		await start(async (sql, events) => {
			await storeAmounts(sql, events);
			if (crashes++ === 0)
				throw Object.assign(new Error("lost"), { code: "CONNECTION_CLOSED" });
		});
		const event = amount(1);
		await wire.bus.publish([event]);
		await expectEffects([event]);
		expect(crashes).toBe(2);
	});

	it("finds the poison events of a batch and applies all others in order", async () => {
		await start(storeAmounts);
		const events = Array.from({ length: 100 }, (_, at) =>
			amount(at === 13 || at === 77 ? 40_000 : at),
		);
		await wire.bus.publish(events);
		const good = events.filter((_, at) => at !== 13 && at !== 77);
		await expectEffects(good);
		const letters = await parked(2);
		expect(letters.map(({ event }) => event)).toEqual([events[13], events[77]]);
		expect(letters[0]).toMatchObject({
			group: topic,
			reason: "PostgresError",
			detail: "smallint out of range",
			attempts: 1,
		});
	});

	it("parks a refused event with the refusal's reason, and only once", async () => {
		const applied: string[] = [];
		await start(async (_, events) => {
			applied.push(...events.map(({ id }) => id));
			throw new DomainError({
				kind: "not_found",
				reason: "message_not_found",
				message: "No such message.",
			});
		});
		const poison = amount(1);
		await wire.bus.publish([poison]);
		await parked(1);
		await wire.bus.publish([poison]);
		await wire.bus.publish([amount(2)]);
		const letters = await parked(2);
		expect(letters[0]?.reason).toBe("message_not_found");
		expect(applied.filter((id) => id === poison.id)).toHaveLength(1);
	});

	it("passes over events that do not concern it without a trace, and keeps one that it cannot judge", async () => {
		const [own, foreign, unreadable] = [amount(1), amount(2), amount("x")];
		await start(storeAmounts, {
			concerns: ({ payload }) => {
				const value = Number(String(payload));
				if (Number.isNaN(value)) throw new Error("unreadable");
				return value === 1;
			},
		});
		await wire.bus.publish([foreign, unreadable, own]);
		await expectEffects([own]);
		const letters = await parked(1);
		expect(letters[0]?.event.id).toBe(unreadable.id);
		const seen = await db.sql`
			select event_id
			from inbox
			where event_id = ${foreign.id}
		`;
		expect(seen).toHaveLength(0);
	});

	it("gives a failure that may be chance a second try", async () => {
		let failures = 0;
		await start(async (sql, events) => {
			if (failures++ === 0) throw new TypeError("by chance");
			await storeAmounts(sql, events);
		});
		const event = amount(1);
		await wire.bus.publish([event]);
		await expectEffects([event]);
		expect(await listDeadLetters(db.sql, topic)).toEqual([]);
	});

	it("never skips an event over a database that fails, and goes on in order", async () => {
		let failures = 0;
		await start(async (sql, events) => {
			if (failures++ < 4) await sql`select * from not_deployed_yet`;
			await storeAmounts(sql, events);
		});
		const events = [amount(1), amount(2)];
		await wire.bus.publish(events.slice(0, 1));
		await wire.bus.publish(events.slice(1));
		await expectEffects(events);
		expect(await listDeadLetters(db.sql, topic)).toEqual([]);
	});

	it("halves a batch that takes the database too long, and parks nothing of it", async () => {
		await start(async (sql, events) => {
			await sql`set local statement_timeout = 200`;
			await sql`select pg_sleep(${events.length * 0.02})`;
			await storeAmounts(sql, events);
		});
		const events = Array.from({ length: 32 }, (_, at) => amount(at));
		await wire.bus.publish(events);
		await expectEffects(events);
		expect(await listDeadLetters(db.sql, topic)).toEqual([]);
	});
});
