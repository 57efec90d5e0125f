import { randomUUID } from "node:crypto";
import { deleteExpiredInboxRows, insertInboxRows } from "../events/inbox.ts";
import { deleteOutboxEntries, findOutboxEntries } from "../events/outbox.ts";
import { findEvents } from "../events/postgres/subscription.ts";
import { MANY, testStatements } from "../testing/statements.ts";
import type { Db } from "./database.ts";
import {
	deleteExpiredIdempotencyRecords,
	findIdempotencyRecords,
	insertIdempotencyRecords,
} from "./idempotency-records.ts";
import { platformMigrations } from "./migration/migration-set.ts";

const BATCH = 500;
/** Rows and index searches for one event of a batch. */
const MOST_PER_EVENT = 3;
const GROUP = "group-1";
const TOPIC = "topic.v1";
const organizationId = "00000000-0000-7000-8000-000000000000";
const positions = Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth);

function keyOf(nth: number) {
	return { organizationId, key: `key-${nth}`, fingerprint: Buffer.alloc(32) };
}

testStatements({
	migrations: Object.values(platformMigrations),
	queues: ["outbox"],
	mostReads: BATCH * MOST_PER_EVENT,
	statements: {
		findEvents: (sql) => findEvents(sql, new Map([[TOPIC, MANY / 2]])),
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
			deleteExpiredIdempotencyRecords(sql, BATCH),
		insertInboxRows: (sql) =>
			insertInboxRows(
				sql,
				GROUP,
				positions.map(() => randomUUID()),
			),
		deleteExpiredInboxRows: (sql) => deleteExpiredInboxRows(sql, BATCH, 1_000),
	},
	fill,
});

/** Events in the bus, the outbox and the inbox, and keys. */
async function fill(sql: Db, first: number, last: number): Promise<void> {
	const numbers = sql`generate_series(${first}::int, ${last}::int) as nth`;
	const event = sql`
		gen_random_uuid() as event_id, ${TOPIC} as topic, 'type' as type, nth as key, '' as organization_id, ''::bytea as payload
	`;
	const columns = sql`event_id, topic, type, key, organization_id, payload`;
	await sql`
		insert into events (${columns})
		select ${event}
		from ${numbers}
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
		insert into idempotency_keys (organization_id, key, fingerprint, response, expires_at)
		select ${organizationId}, 'key-' || nth, '', '', now() - interval '1 minute'
		from ${numbers}
	`;
}
