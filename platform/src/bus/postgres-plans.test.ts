import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { connectDatabase, type Db, type Tx } from "../database.ts";
import { platformMigrations } from "../migrate.ts";
import { deleteOutboxEntries, findOutboxEntries } from "../outbox.ts";
import { type TestDatabase, testDatabase } from "../testing/database.ts";
import { readBy } from "../testing/reads.ts";
import { deleteRecords, findRecords } from "./postgres-records.ts";

const MANY = 10_000;
/** What a claim of records takes at most, and rows and index searches for one of them. */
const BATCH = 500;
const MOST_PER_EVENT = 3;
/** Rows that the server counted before the many came. */
const FEW = [0, 5, 41, 100, 300];

const GROUP = "group-1";
const TOPIC = "topic.v1";
const positions = Array.from({ length: BATCH }, (_, nth) => MANY / 2 + nth);

const STATEMENTS: Record<string, (sql: Tx) => Promise<unknown>> = {
	findRecords: (sql) => findRecords(sql, GROUP, [TOPIC]),
	deleteRecords: (sql) => deleteRecords(sql, positions),
	findOutboxEntries: (sql) => findOutboxEntries(sql, BATCH),
	deleteOutboxEntries: (sql) => deleteOutboxEntries(sql, positions),
};

describe.each(FEW)("with plans made for %i events", (few) => {
	let database: TestDatabase;
	let sql: Db;

	beforeAll(async () => {
		database = await testDatabase([
			platformMigrations.bus,
			platformMigrations.outbox,
		]);
		sql = connectDatabase({
			url: database.url,
			schema: database.schema,
			poolSize: 1,
			applicationName: "plans",
			plansByIndex: true,
		});
		await sql`set plan_cache_mode = force_generic_plan`;
		await insertEvents(database.sql, few);
		for (const table of ["records", "outbox"])
			await database.sql`analyze ${database.sql(table)}`;
		for (const run of Object.values(STATEMENTS)) await readBy(sql, run);
		await insertEvents(database.sql, MANY);
	});

	afterAll(async () => {
		await sql.end();
		await database.drop();
	});

	test.each(Object.entries(STATEMENTS))(
		"%s reads no more than its batch",
		async (_name, run) => {
			const read = await readBy(sql, run);
			expect(read).toBeGreaterThanOrEqual(BATCH);
			expect(read).toBeLessThanOrEqual(BATCH * MOST_PER_EVENT);
		},
	);
});

/** Into the outbox, and into the bus for each of two groups. */
async function insertEvents(sql: Db, count: number): Promise<void> {
	const event = sql`
		gen_random_uuid() as event_id, ${TOPIC} as topic, 'type' as type, nth as key, '' as organization_id, ''::bytea as payload
	`;
	const columns = sql`event_id, topic, type, key, organization_id, payload`;
	await sql`
		insert into records (group_name, ${columns})
		select 'group-' || (nth % 2), ${event}
		from generate_series(1, ${2 * count}::int) as nth
	`;
	await sql`
		insert into outbox (${columns})
		select ${event}
		from generate_series(1, ${count}::int) as nth
	`;
}
