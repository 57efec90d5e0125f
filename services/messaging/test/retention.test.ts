import { randomUUID } from "node:crypto";
import { transaction } from "@airtower/platform/database/database";
import { setRetention } from "@airtower/platform/privacy/retentions";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import { tablesWith } from "@airtower/platform/testing/privacy";
import { troubledSql } from "@airtower/platform/testing/troubled-sql";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { weeksFrom } from "../src/domain/partition-weeks.ts";
import { blankOldBodies } from "../src/jobs/blank-old-bodies.ts";
import { dropPartitions } from "../src/jobs/drop-partitions.ts";
import {
	createPartition,
	PARTITIONED_TABLES,
} from "../src/store/partitions.ts";
import { startTestMessaging, type TestMessaging } from "./support/messaging.ts";

let test: TestMessaging;

beforeAll(async () => {
	test = await startTestMessaging();
});
afterAll(() => test.close());

const DAY_MS = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);

interface Aged {
	readonly organizationId?: string;
	readonly acceptedDaysAgo: number;
	/** Undefined while it is under way. */
	readonly endedDaysAgo?: number;
}

let messages = 0;

/** Stores a message of this age; returns its text. */
async function storeMessage(aged: Aged): Promise<string> {
	const { organizationId = randomUUID(), acceptedDaysAgo, endedDaysAgo } = aged;
	const at = daysAgo(acceptedDaysAgo);
	const last = (++messages).toString(16).padStart(12, "0");
	const id = `${firstIdAt(at).slice(0, 24)}${last}`;
	const body = `text ${messages} ${randomUUID()}`;
	const ended = endedDaysAgo === undefined ? null : daysAgo(endedDaysAgo);
	await test.sql`
		insert into messages (
			id, organization_id, recipient, body, sender_id, sender_value, segments,
			concat_reference, route, status, accepted_at, finished_at
		)
		values (
			${id}, ${organizationId}, '+33612345678', ${body}, ${randomUUID()}, 'Acme', 1,
			0, 'simulator', ${ended === null ? "accepted" : "delivered"}, ${at}, ${ended}
		)
	`;
	return body;
}

async function blankAll(): Promise<void> {
	while ((await blankOldBodies(test.ctx)) > 0);
}

describe("a message's text", () => {
	it("is gone from every table 30 days after the outcome, and stays until then", async () => {
		const old = await storeMessage({ acceptedDaysAgo: 32, endedDaysAgo: 31 });
		const young = await storeMessage({ acceptedDaysAgo: 29, endedDaysAgo: 29 });
		const late = await storeMessage({ acceptedDaysAgo: 35, endedDaysAgo: 29 });
		const underWay = await storeMessage({ acceptedDaysAgo: 40 });
		await blankAll();
		expect(await tablesWith(test.sql, old)).toEqual([]);
		for (const kept of [young, late, underWay])
			expect(await tablesWith(test.sql, kept)).toHaveLength(1);
	});

	it("of a message that ended long after it was accepted is gone 30 days after the outcome", async () => {
		const organizationId = randomUUID();
		await setRetention(test.sql, organizationId, 30);
		const aged = { acceptedDaysAgo: 38, endedDaysAgo: 29 };
		const body = await storeMessage({ organizationId, ...aged });
		await blankAll();
		const [due] = await test.sql<{ hours: number }[]>`
			select extract(epoch from max(due_at) - now())::float8 / 3600 as hours
			from late_bodies
			join messages on messages.id = message_id
			where body = ${body}
		`;
		expect(due?.hours).toBeCloseTo(24, 0);
		await test.sql`update messages set finished_at = ${daysAgo(31)} where body = ${body}`;
		await test.sql`update late_bodies set due_at = now()`;
		await blankAll();
		expect(await tablesWith(test.sql, body)).toEqual([]);
	});

	it("waits for few rounds where many are due, for a round looks at every organization with a time of its own", async () => {
		const first = firstIdAt(daysAgo(50)).slice(0, 24);
		await test.sql`
			insert into messages (
				id, organization_id, recipient, body, sender_id, sender_value, segments,
				concat_reference, route, status, accepted_at, finished_at
			)
			select
				(${first} || lpad(to_hex(nth), 12, '0'))::uuid, gen_random_uuid(), '+33612345678', 'one of many', gen_random_uuid(), 'Acme', 1,
				0, 'simulator', 'delivered', now() - interval '50 days', now() - interval '50 days'
			from generate_series(1, 5000) as nth
		`;
		await test.sql`delete from scan_positions`;
		await blankOldBodies(test.ctx);
		expect(await tablesWith(test.sql, "one of many")).toEqual([]);
	});

	it("goes when its organization says, earlier or later than the deployment", async () => {
		const [brief, long] = [randomUUID(), randomUUID()];
		await setRetention(test.sql, brief, 2);
		await setRetention(test.sql, long, 400);
		const aged = { acceptedDaysAgo: 100, endedDaysAgo: 100 };
		const kept = await storeMessage({ organizationId: long, ...aged });
		const gone = await storeMessage({
			organizationId: brief,
			acceptedDaysAgo: 3,
			endedDaysAgo: 3,
		});
		await blankAll();
		expect(await tablesWith(test.sql, gone)).toEqual([]);
		expect(await tablesWith(test.sql, kept)).toHaveLength(1);
		await setRetention(test.sql, long, null);
		await blankAll();
		expect(await tablesWith(test.sql, kept)).toEqual([]);
	});
});

describe("messages and their parts", () => {
	it("of 13 months ago are dropped with their week, also those that the default partition took", async () => {
		const { sql, ctx } = test;
		const [week] = weeksFrom(daysAgo(430), 1);
		if (week === undefined) throw new Error("no week");
		for (const table of PARTITIONED_TABLES)
			await transaction(sql, (sql) => createPartition(sql, { table, ...week }));
		const old = await storeMessage({ acceptedDaysAgo: 430, endedDaysAgo: 429 });
		const stray = await storeMessage({
			acceptedDaysAgo: 500,
			endedDaysAgo: 499,
		});
		const young = await storeMessage({ acceptedDaysAgo: 380 });
		const name = `messages_${week.from.toISOString().slice(0, 10).replaceAll("-", "")}`;
		expect(await tablesWith(sql, old)).toEqual([name]);
		await sql`
			insert into dispatch (message_id, organization_id, route, expires_at)
			select id, organization_id, route, now()
			from messages
			where body = ${old}
		`;
		while ((await dropPartitions(ctx)) > 0);
		expect(await tablesWith(sql, old)).toEqual([name]);
		await sql`delete from dispatch`;
		while ((await dropPartitions(ctx)) > 0);
		expect(await tablesWith(sql, old)).toEqual([]);
		expect(await tablesWith(sql, stray)).toEqual([]);
		expect(await tablesWith(sql, young)).toHaveLength(1);
		const partitions = await sql`select to_regclass(${name}) as found`;
		expect(partitions).toEqual([{ found: null }]);
	});
});

it("weeks that a long query holds keep sends waiting once for each table, however many are past their retention", async () => {
	const { sql, ctx } = test;
	const weeks = weeksFrom(daysAgo(900), 4);
	for (const table of PARTITIONED_TABLES)
		for (const week of weeks)
			await transaction(sql, (sql) => createPartition(sql, { table, ...week }));
	const troubled = troubledSql(sql);
	let waits = 0;
	troubled.fates.set("select drop_partition(", async (run) => {
		waits++;
		return run();
	});
	const drop = () => dropPartitions({ ...ctx, sql: troubled.sql });
	await transaction(sql, async (reader) => {
		await reader`set local transaction_timeout = 0`;
		await reader`set local idle_in_transaction_session_timeout = 0`;
		await reader`lock table messages, parts in access share mode`;
		await drop();
	});
	expect(waits).toBe(PARTITIONED_TABLES.length);
	await drop();
	expect(waits).toBe(PARTITIONED_TABLES.length * (1 + weeks.length));
});

it("where messages are kept for a month, one that was scheduled for its end is there until its receipt may have come", async () => {
	const { sql, ctx } = test;
	const [week] = weeksFrom(daysAgo(60), 1);
	if (week === undefined) throw new Error("no week");
	for (const table of PARTITIONED_TABLES)
		await transaction(sql, (sql) => createPartition(sql, { table, ...week }));
	const kept = await storeMessage({ acceptedDaysAgo: 60 });
	const left = async (daysAfter: number) => {
		const now = new Date(week.to.getTime() + daysAfter * DAY_MS);
		const limits = { ...ctx.limits, recordMonths: 1 };
		await dropPartitions({ ...ctx, limits, clock: () => now });
		return tablesWith(sql, kept);
	};
	expect(await left(35)).toHaveLength(1);
	expect(await left(38)).toEqual([]);
});

it("on the 31st an inbound text of the last thirteen months is kept, also where that month has no 31st", async () => {
	const { sql, ctx } = test;
	const id = firstIdAt(new Date("2026-03-01T12:00:00Z"));
	await sql`
		insert into inbound_messages (
			id, organization_id, route, sender, recipient, body, encoding, part_count, is_complete, received_at
		)
		values (
			${id}, ${randomUUID()}, 'simulator', '33612345678', '447700900000', 'Hello', 'gsm7', 1, true, now()
		)
	`;
	const left = async (now: string) => {
		const clock = () => new Date(now);
		while ((await dropPartitions({ ...ctx, clock })) > 0);
		return sql`select from inbound_messages where id = ${id}`;
	};
	expect(await left("2027-03-31T12:00:00Z")).toHaveLength(1);
	expect(await left("2027-04-02T12:00:00Z")).toHaveLength(0);
});
