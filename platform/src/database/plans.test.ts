import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe } from "vitest";
import { deleteExpiredInboxRows, insertInboxRows } from "../events/inbox.ts";
import { deleteOutboxEntries, findOutboxEntries } from "../events/outbox.ts";
import { deleteRecords, findRecords } from "../events/postgres/records.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import {
	openPlanKeeper,
	planAll,
	type Statements,
	testReads,
} from "../testing/plans.ts";
import type { Db } from "./database.ts";
import {
	deleteExpiredIdempotencyRecords,
	findIdempotencyRecords,
	insertIdempotencyRecords,
} from "./idempotency.ts";
import { platformMigrations } from "./migrate.ts";

const MANY = 10_000;
/** What a claim of records takes at most, and rows and index searches for one of them. */
const BATCH = 500;
const MOST_PER_EVENT = 3;
/** Rows that the server counted before the many came. */
const FEW = [0, 5, 41, 100, 300];

const GROUP = "group-1";
const TOPIC = "topic.v1";
const organizationId = "00000000-0000-7000-8000-000000000000";
const positions = Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth);

const STATEMENTS: Statements = {
	findRecords: (sql) => findRecords(sql, GROUP, [TOPIC]),
	deleteRecords: (sql) => deleteRecords(sql, positions),
	findOutboxEntries: (sql) => findOutboxEntries(sql, BATCH),
	deleteOutboxEntries: (sql) => deleteOutboxEntries(sql, positions),
	findIdempotencyRecords: (sql) =>
		findIdempotencyRecords(sql, positions.map(keyOf)),
	insertIdempotencyRecords: (sql) =>
		insertIdempotencyRecords(
			sql,
			positions.map((nth) => ({ ...keyOf(-nth), response: Buffer.alloc(1) })),
		),
	deleteExpiredIdempotencyRecords: (sql) =>
		deleteExpiredIdempotencyRecords(sql, BATCH, 1_000),
	insertInboxRows: (sql) =>
		insertInboxRows(
			sql,
			GROUP,
			positions.map(() => randomUUID()),
		),
	deleteExpiredInboxRows: (sql) => deleteExpiredInboxRows(sql, BATCH, 1_000),
};

function keyOf(nth: number) {
	const fingerprint = Buffer.alloc(32);
	return { organizationId, key: `key-${nth}`, fingerprint };
}

describe.each(FEW)("with plans made for %i events", (few) => {
	let database: TestDatabase;
	let sql: Db;

	beforeAll(async () => {
		database = await testDatabase([
			platformMigrations.bus,
			platformMigrations.outbox,
			platformMigrations.idempotency,
			platformMigrations.inbox,
		]);
		sql = await openPlanKeeper(database);
		await insertRows(database.sql, 1, few);
		for (const table of ["records", "outbox", "idempotency_keys", "inbox"])
			await database.sql`analyze ${database.sql(table)}`;
		await planAll(sql, STATEMENTS);
		await insertRows(database.sql, few + 1, MANY);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	testReads(STATEMENTS, () => sql, { least: 0, most: BATCH * MOST_PER_EVENT });
});

/** Events in the outbox, and in the bus for two groups, which one of them has seen, and keys. */
async function insertRows(sql: Db, first: number, last: number): Promise<void> {
	const numbers = sql`generate_series(${first}::int, ${last}::int) as nth`;
	const event = sql`
		gen_random_uuid() as event_id, ${TOPIC} as topic, 'type' as type, nth as key, '' as organization_id, ''::bytea as payload
	`;
	const columns = sql`event_id, topic, type, key, organization_id, payload`;
	await sql`
		insert into records (group_name, ${columns})
		select group_name, ${event}
		from ${numbers}
		cross join unnest(array[${GROUP}, 'group-2']) as group_name
	`;
	await sql`
		insert into outbox (${columns})
		select ${event}
		from ${numbers}
	`;
	await sql`
		insert into inbox (consumer_group, event_id, received_at)
		select ${GROUP}, gen_random_uuid(), now() - interval '1 minute'
		from ${numbers}
	`;
	await sql`
		insert into idempotency_keys (organization_id, key, fingerprint, response, created_at)
		select ${organizationId}, 'key-' || nth, '', '', now() - interval '1 minute'
		from ${numbers}
	`;
}
