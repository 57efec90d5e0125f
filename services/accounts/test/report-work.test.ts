import { randomUUID } from "node:crypto";
import {
	type TestDatabase,
	testDatabase,
} from "@airtower/platform/testing/database";
import { readBy } from "@airtower/platform/testing/reads";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrations } from "../src/migrations.ts";
import { readDelivery } from "../src/read-delivery.ts";
import {
	listCountSums,
	listFailureSums,
	type ReportRange,
} from "../src/store/report-counts.ts";

const DAYS = 31;
const VALUES = 20;
/** Accepted, delivered, and failed for three reasons. */
const ROWS_OF_A_DAY = 5;
const ROWS = DAYS * VALUES * ROWS_OF_A_DAY;
/** Of the index, which may skip from one value to the next. */
const SEARCHES = 100;
/** A row without a currency, one with EUR and the times to the receipt, and one for all failures. */
const ROWS_OF_A_LINE = 3;
const FIGURES_OF_A_LINE = 6 + 7 + 3;
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
	await database.sql`
		insert into report_counts (
			organization_id, dimension, begins_at, value, channel, result, reason, currency,
			messages, segments, cost_micros, receipt_times
		)
		select owner, 'campaign', day, value, 'sms', result, reason, currency, 10, 0, 90000, times
		from unnest(${[organizationId, randomUUID()]}::uuid[]) as owner
		cross join generate_series(timestamptz '2026-02-01Z', '2026-04-30Z', '1 day') as day
		cross join generate_series(1, ${VALUES}) as value
		cross join (values
			('accepted', '', '', null),
			('delivered', '', 'EUR', 3000000000004),
			('failed', 'expired', 'EUR', null),
			('failed', 'rejected', 'EUR', null),
			('failed', 'undeliverable', 'EUR', null)
		) as made (result, reason, currency, times)
	`;
});
afterAll(() => database.drop());

test("a report reads the rows of its own days and organization, and those of failed messages once more", async () => {
	const sql = database.connect(1);
	const read = await readBy(sql, (sql) =>
		readDelivery(sql, organizationId, range),
	);
	const failed = (ROWS * 3) / ROWS_OF_A_DAY;
	expect(read).toBeLessThanOrEqual(ROWS + failed + SEARCHES);
});

test("the database adds up the days: of a line come a row for each currency and one for its failures, with 16 figures in all", async () => {
	const { sql } = database;
	const sums = await listCountSums(sql, organizationId, range, LIMIT);
	const failures = await listFailureSums(sql, organizationId, range, LIMIT);
	const rows = [...sums, ...failures];
	const figures = rows
		.flatMap((row) => Object.values(row))
		.filter((figure) => figure !== null);
	expect(rows).toHaveLength(VALUES * ROWS_OF_A_LINE);
	expect(figures).toHaveLength(VALUES * FIGURES_OF_A_LINE);
});
