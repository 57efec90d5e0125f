import { type Db, transaction } from "@airtower/platform/database/database";
import { isLockTimeout } from "@airtower/platform/database/sql-errors";
import { createLogger } from "@airtower/platform/runtime/log";
import { eventually } from "@airtower/platform/testing/eventually";
import { expect, onTestFinished, test } from "vitest";
import { type Week, weeksFrom } from "../src/domain/partition-weeks.ts";
import { createPartition, partitionName } from "../src/store/partitions.ts";
import {
	messageTo,
	organizationWith,
	reasonOf,
	startTestMessaging,
} from "./support/messaging.ts";
import { startTestService, type TestService } from "./support/service.ts";

const weeks = weeksFrom(new Date(), 5);
const [, , , lateWeek] = weeks as [Week, Week, Week, Week, Week];
const AN_HOUR_MS = 3_600_000;

/** Stores messages of that week and a part of each. */
async function insertMessages(
	sql: Db,
	week: Week,
	count: number,
): Promise<void> {
	const shiftMs = week.from.getTime() + AN_HOUR_MS - Date.now();
	await sql`
		with fresh as (
			insert into messages (
				id, organization_id, recipient, body, sender_id, sender_value,
				segments, concat_reference, route
			)
			select
				uuidv7(${shiftMs} * interval '1 millisecond'), gen_random_uuid(),
				'33612345678', 'Hello', gen_random_uuid(), 'Airtower', 1, 0, 'main'
			from generate_series(1, ${count}::int)
			returning id
		)
		insert into parts (
			message_id, number, part_count,
			operator_account, operator_message_id, operator_key
		)
		select id, 1, 1, 'main', id::text, id::text
		from fresh
	`;
}

/** How many rows lie in each partition, empty ones left out. */
async function rowsByPartition(sql: Db): Promise<Record<string, number>> {
	const rows = await sql<{ partition: string; count: number }[]>`
		select tableoid::regclass::text as partition, count(*) as count
		from messages
		group by 1
		union all
		select tableoid::regclass::text, count(*)
		from parts
		group by 1
	`;
	return Object.fromEntries(
		rows.map(({ partition, count }) => [partition, count]),
	);
}

/** The partitions by week that exist, of both tables. */
async function weeklyPartitions(sql: Db): Promise<string[]> {
	const rows = await sql<{ name: string }[]>`
		select inhrelid::regclass::text as name
		from pg_inherits
		where inhparent in ('messages'::regclass, 'parts'::regclass)
		and inhrelid::regclass::text not like '%_default'
		order by 1
	`;
	return rows.map(({ name }) => name);
}

const allPartitions = (["messages", "parts"] as const).flatMap((table) =>
	weeks.map(({ from }) => partitionName({ table, from })),
);

async function started(
	prepare: (sql: Db) => Promise<void>,
	logs: string[] = [],
): Promise<TestService> {
	const log = createLogger({
		service: "test",
		level: "error",
		destination: { write: (line) => logs.push(line) },
	});
	const service = await startTestService({ prepare, overrides: { log } });
	onTestFinished(() => service.close());
	return service;
}

async function send(service: TestService): Promise<string | undefined> {
	const organization = await organizationWith(service, 1);
	const { results } = await service.messaging.sendMessages({
		messages: [messageTo(organization)],
	});
	return reasonOf(results[0]);
}

test("rows that a default partition took move to the partition of their week when the service starts", async () => {
	const logs: string[] = [];
	const service = await started(
		(sql) => insertMessages(sql, lateWeek, 3),
		logs,
	);
	expect(await weeklyPartitions(service.sql)).toEqual(allPartitions);
	const { from } = lateWeek;
	expect(await rowsByPartition(service.sql)).toEqual({
		[partitionName({ table: "messages", from })]: 3,
		[partitionName({ table: "parts", from })]: 3,
	});
	expect(logs).toEqual([]);
	expect(await send(service)).toBe("accepted");
});

test("too many to move keep nothing from starting, and no later week from its partition", async () => {
	const logs: string[] = [];
	const service = await started(
		(sql) => insertMessages(sql, lateWeek, 10_001),
		logs,
	);
	const { from } = lateWeek;
	const missing = [
		partitionName({ table: "messages", from }),
		partitionName({ table: "parts", from }),
	];
	expect(await weeklyPartitions(service.sql)).toEqual(
		allPartitions.filter((name) => !missing.includes(name)),
	);
	expect(await rowsByPartition(service.sql)).toEqual({
		messages_default: 10_001,
		parts_default: 10_001,
	});
	for (const name of missing) expect(logs[0]).toContain(name);
	expect(logs[0]).toContain("stop messaging, move them by hand");
	expect(logs.join("")).not.toContain("Hello");
	expect(await send(service)).toBe("accepted");
});

test("a partition that the database refuses is named, and is the only one missing", async () => {
	const logs: string[] = [];
	const missing = partitionName({ table: "messages", from: lateWeek.from });
	const service = await started(async (sql) => {
		// A table is also a type of its name, which this one takes.
		await sql`create domain ${sql(missing)} as integer`;
	}, logs);
	expect(await weeklyPartitions(service.sql)).toEqual(
		allPartitions.filter((name) => name !== missing),
	);
	expect(logs[0]).toContain(`${missing}: `);
	expect(logs[0]).toContain("(42710)");
	expect(await send(service)).toBe("accepted");
});

test("a message that is changed while it moves is found where it then is", async () => {
	const { sql, close } = await startTestMessaging();
	onTestFinished(close);
	const [, week] = weeksFrom(new Date("2040-01-02"), 2) as [Week, Week];
	await insertMessages(sql, week, 1);
	const moved = Promise.withResolvers<void>();
	const waiting = Promise.withResolvers<void>();
	const moving = transaction(sql, async (sql) => {
		await createPartition(sql, { table: "messages", ...week });
		moved.resolve();
		await waiting.promise;
	});
	await Promise.race([moved.promise, moving]);
	const changing = sql`update messages set status = 'submitted'`;
	const changed = changing.then(({ count }) => count);
	await untilLocked(sql);
	waiting.resolve();
	await moving;
	expect(await changed).toBe(1);
});

test("processes that create different partitions at the same time do not collide", async () => {
	const { sql, close } = await startTestMessaging();
	onTestFinished(close);
	const later = weeksFrom(new Date("2040-01-02"), 5);
	for (const week of later.slice(0, 3)) await insertMessages(sql, week, 10);
	const created = await Promise.all(later.map((week) => create(sql, week)));
	expect(created).toEqual(later.map(() => true));
});

/** As the next round does: it asks again for a lock that a busy machine kept for longer than is waited for it. */
async function create(sql: Db, week: Week): Promise<boolean> {
	try {
		return await sql.begin((sql) =>
			createPartition(sql, { table: "messages", ...week }),
		);
	} catch (error) {
		if (!isLockTimeout(error)) throw error;
		return create(sql, week);
	}
}

/** Resolves once a statement waits for a lock on the table of messages. */
async function untilLocked(sql: Db): Promise<void> {
	await eventually(async () => {
		const waiting = await sql`
			select
			from pg_locks
			where relation in ('messages'::regclass, 'messages_default'::regclass)
			and not granted
		`;
		expect(waiting.count).toBe(1);
	});
}
