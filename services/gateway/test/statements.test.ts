import type { Db } from "@airtower/platform/database/database";
import { MANY, testStatements } from "@airtower/platform/testing/statements";
import { migrations } from "../src/migrations.ts";
import {
	deleteOldWindows,
	leaseUnits,
	returnUnits,
} from "../src/store/rate-windows.ts";

const BATCH = 200;
/** Rows read and index searches for one window. */
const MOST_PER_WINDOW = 8;
const LIMIT = 3_000;

const windows = Array.from({ length: BATCH }, (_, nth) => ({
	ownerId: `00000000-0000-7000-8000-${(MANY / 2 + nth).toString().padStart(12, "0")}`,
	windowStart: 60 * (MANY / 2 + nth),
	units: 1,
}));

testStatements({
	migrations,
	queues: [],
	mostReads: BATCH * MOST_PER_WINDOW,
	statements: {
		leaseUnits: (sql) =>
			leaseUnits(
				sql,
				windows.map((window) => ({ ...window, limit: LIMIT })),
			),
		returnUnits: (sql) => returnUnits(sql, windows),
		deleteOldWindows: (sql) =>
			deleteOldWindows(sql, { before: 60 * BATCH, keptS: 60 }, BATCH),
	},
	fill,
});

async function fill(sql: Db, first: number, last: number): Promise<void> {
	await sql`
		insert into rate_windows (owner_id, window_start_s, allowed, leased, last_grant)
		select
			('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid,
			60 * nth, ${LIMIT}, 100, 100
		from generate_series(${first}::int, ${last}::int) as nth
	`;
}
