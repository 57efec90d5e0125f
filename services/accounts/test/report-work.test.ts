import { randomUUID } from "node:crypto";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { readBy } from "@airtower/platform/testing/reads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { packedCount } from "../src/domain/packed-counts.ts";
import { migrations } from "../src/migrations.ts";
import { readDelivery } from "../src/read-delivery.ts";
import { listCountSums, type ReportRange } from "../src/store/report-counts.ts";

const DAYS = 31;
const VALUES = 20;
/** What was accepted, and what ended in EUR, for three reasons where it failed. */
const ROWS_OF_A_DAY = 2;
const ROWS = DAYS * VALUES * ROWS_OF_A_DAY;
/** Of the index, which may skip from one value to the next. */
const SEARCHES = 100;
/** A row without a currency, and one with EUR. */
const ROWS_OF_A_LINE = 2;
/** More than any. */
const LIMIT = 100_000;

const organizationId = randomUUID();
const range: ReportRange = {
	groupBy: "campaign",
	channel: undefined,
	from: new Date("2026-03-01"),
	to: new Date("2026-04-01"),
};

let database: TestDatabase;

beforeAll(async () => {
	database = await testDatabase(migrations);
	const { sql } = database;
	const ended = [1, 2, 3].map(packedCount).reduce((sum, one) => sum + one);
	await sql`
		insert into report_reasons (slot, reason)
		overriding system value
		values (1, 'expired'), (2, 'rejected'), (3, 'undeliverable')
	`;
	await sql`
		insert into report_counts (
			organization_id, dimension, begins_at, value, channel, currency,
			accepted, delivered, canceled, failures, receipt_times, segments, cost_micros
		)
		select owner, 'campaign', day, value, 'sms', currency, accepted, delivered, 0, failures::numeric, times, 0, 90000
		from unnest(${[organizationId, randomUUID()]}::uuid[]) as owner
		cross join generate_series(timestamptz '2026-02-01Z', '2026-04-30Z', '1 day') as day
		cross join generate_series(1, ${VALUES}) as value
		cross join (values
			('', 10, 0, '0', 0),
			('EUR', 0, 4, ${String(ended)}, 3000000000001)
		) as made (currency, accepted, delivered, failures, times)
	`;
});
afterAll(() => database.drop());

test("a report reads the rows of its own days and organization, each once", async () => {
	const sql = database.connect(1);
	const read = await readBy(sql, (sql) =>
		readDelivery(sql, organizationId, range),
	);
	expect(read).toBeLessThanOrEqual(ROWS + SEARCHES);
});

test("the database adds up the days and the reasons: of a line comes a row for each currency", async () => {
	const { sql } = database;
	const sums = await listCountSums(sql, organizationId, range, LIMIT);
	expect(sums).toHaveLength(VALUES * ROWS_OF_A_LINE);
	const [line] = await readDelivery(sql, organizationId, range);
	const messages = BigInt(DAYS);
	expect(line).toMatchObject({
		accepted: 10n * messages,
		delivered: 4n * messages,
		failed: 3n * messages,
		unknown: 3n * messages,
		failures: [
			{ reason: "expired", messages },
			{ reason: "rejected", messages },
			{ reason: "undeliverable", messages },
		],
	});
});
