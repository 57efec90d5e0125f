import { randomUUID } from "node:crypto";
import type { Db } from "@airtower/platform/database/database";
import { analyzeGrownTables } from "@airtower/platform/database/table-statistics";
import type { TestDatabase } from "@airtower/platform/testing/database";
import {
	openPlanKeeper,
	planAll,
	type Statements,
	testReads,
} from "@airtower/platform/testing/plans";
import { afterAll, beforeAll, describe } from "vitest";
import {
	claimDeliveries,
	findDueEndpoints,
	markAbandonedDead,
	redriveDeliveries,
	releaseExpiredLeases,
	settleDeliveries,
} from "../src/store/deliveries.ts";
import { deleteOldEvents } from "../src/store/events.ts";
import { openDatabase } from "./support/stage.ts";

/** Deliveries that have ended, and that wait for the active endpoint. */
const ENDED = 10_000;
const WAITING = 10_000;
/** Deliveries that the server counted before the many came. */
const FEW = [41, 100, 300];
/** Deliveries of each other kind: being sent, waiting for a disabled endpoint, dead, and of events long past. */
const BATCH = 200;
/** Rows read and index searches for one delivery; what grows with the tables takes hundreds. */
const MOST_PER_DELIVERY = 12;

const organizationId = randomUUID();
const active = randomUUID();
const disabled = randomUUID();
const leaseToken = randomUUID();
const sending = Array.from({ length: BATCH }, () => randomUUID());

const STATEMENTS: Statements = {
	findDueEndpoints,
	claimDeliveries: (sql) =>
		claimDeliveries(
			sql,
			[{ endpointId: active, slots: BATCH }],
			leaseToken,
			15_000,
		),
	settleDeliveries: (sql) =>
		settleDeliveries(
			sql,
			sending.map((eventId) => ({
				eventId,
				endpointId: active,
				leaseToken,
				attempt: 1,
				state: "delivered",
				delayMs: null,
				httpStatus: 200,
				error: null,
				durationMs: 5,
			})),
		),
	markAbandonedDead: (sql) => markAbandonedDead(sql, BATCH),
	releaseExpiredLeases: (sql) => releaseExpiredLeases(sql, BATCH),
	redriveDeliveries: (sql) => redriveDeliveries(sql, organizationId, BATCH),
	deleteOldEvents: (sql) => deleteOldEvents(sql, 30, BATCH),
};

/** `past`: the plans were made when so many deliveries had ended. `counted`: the server has counted what grew since. */
interface Times {
	readonly past?: number;
	readonly counted?: boolean;
}

const TIMES: Record<string, Times> = {
	"plans of a time when nothing waited": { past: ENDED },
	"plans of empty tables": {},
	"plans of 5 deliveries, the tables counted since": { past: 5, counted: true },
	...Object.fromEntries(
		FEW.map((past) => [`plans of ${past} deliveries`, { past }]),
	),
};

describe.each(Object.entries(TIMES))("with %s", (_name, { past, counted }) => {
	let database: TestDatabase;
	let sql: Db;

	beforeAll(async () => {
		database = await openDatabase();
		sql = await openPlanKeeper(database);
		if (past !== undefined) await insertPast(database.sql, past);
		await planAll(sql, STATEMENTS);
		if (past === undefined) await insertPast(database.sql, ENDED);
		await insertDeliveries(database.sql, "pending", WAITING);
		await insertWork(database.sql);
		if (counted === true) await analyzeGrownTables(sql);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	testReads(STATEMENTS, () => sql, {
		least: 1,
		most: BATCH * MOST_PER_DELIVERY,
	});
});

/** What is over, with its statistics. */
async function insertPast(sql: Db, ended: number): Promise<void> {
	await insertEndpoints(sql);
	await insertDeliveries(sql, "delivered", ended);
	for (const table of ["endpoints", "events", "deliveries", "attempts"])
		await sql`analyze ${sql(table)}`;
}

async function insertEndpoints(sql: Db): Promise<void> {
	await sql`
		insert into endpoints (
			id, organization_id, url, subscribed_events, status, disabled_reason, secret
		)
		values
			(${active}, ${organizationId}, 'https://a.example/', '{}', 'active', null, ''),
			(${disabled}, ${organizationId}, 'https://b.example/', '{}', 'disabled', 'gone', '')
	`;
}

/** To the active endpoint, of events of today. */
async function insertDeliveries(
	sql: Db,
	state: "delivered" | "pending" | "dead",
	count: number,
): Promise<void> {
	const ids = Array.from({ length: count }, () => randomUUID());
	await insertEvents(sql, ids, 0);
	await sql`
		insert into deliveries (event_id, endpoint_id, organization_id, state, due_at)
		select id, ${active}, ${organizationId}, ${state}, case when ${state === "pending"}::boolean then now() end
		from unnest(${ids}::uuid[]) as id
	`;
}

async function insertWork(sql: Db): Promise<void> {
	const old = Array.from({ length: BATCH }, () => randomUUID());
	await insertDeliveries(sql, "dead", BATCH);
	await insertEvents(sql, sending, 0);
	await insertEvents(sql, old, 40);
	await sql`
		insert into deliveries (
			event_id, endpoint_id, organization_id, state, attempt, lease_token, lease_until
		)
		select id, ${active}, ${organizationId}, 'sending', 1, ${leaseToken}, now() - interval '1 second'
		from unnest(${sending}::uuid[]) as id
	`;
	await sql`
		insert into deliveries (event_id, endpoint_id, organization_id, state, due_at)
		select id, ${disabled}, ${organizationId}, 'pending', now()
		from unnest(${sending}::uuid[]) as id
	`;
	await sql`
		insert into deliveries (event_id, endpoint_id, organization_id, state)
		select id, ${active}, ${organizationId}, 'delivered'
		from unnest(${old}::uuid[]) as id
	`;
}

async function insertEvents(
	sql: Db,
	ids: readonly string[],
	daysAgo: number,
): Promise<void> {
	await sql`
		insert into events (id, organization_id, message_id, type, body, occurred_at, created_at)
		select id, ${organizationId}, id, 'message.delivered', '{}', at, at
		from unnest(${[...ids]}::uuid[]) as id
		cross join (select now() - ${daysAgo} * interval '1 day' as at) as past
	`;
}
