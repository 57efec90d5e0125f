import type { Db } from "@airtower/platform/database/database";
import {
	idOf,
	MANY,
	testStatements,
} from "@airtower/platform/testing/statements";
import { migrations } from "../src/migrations.ts";
import {
	deleteOldWindows,
	leaseUnits,
	returnUnits,
} from "../src/store/rate-windows.ts";
import {
	deleteOldRequests,
	findScanEnd,
	insertRequests,
	listRequests,
} from "../src/store/requests.ts";

const BATCH = 200;
/** Rows read and index searches for one window. */
const MOST_PER_WINDOW = 8;
const LIMIT = 3_000;

const windows = Array.from({ length: BATCH }, (_, nth) => ({
	ownerId: `00000000-0000-7000-8000-${(MANY / 2 + nth).toString().padStart(12, "0")}`,
	windowStart: 60 * (MANY / 2 + nth),
	units: 1,
}));

const one = idOf(1);
const lines = Array.from({ length: BATCH }, (_, nth) => ({
	organizationId: one,
	createdAt: new Date(MANY * 2 + nth),
	id: idOf(MANY * 2 + nth),
	requestId: "a",
	method: "GET",
	route: "/usage",
	path: "/usage",
	status: 400,
	durationMs: 1.5,
	apiKeyId: one,
	apiKeyPrefix: "at_live_abcd****",
	errorCode: "validation_failed",
	details: [],
	request: { query: {}, body: null },
	omitted: 0,
}));
const after = { createdAt: new Date(MANY / 2), id: idOf(MANY / 2) };
const end = { createdAt: new Date(MANY / 2 - BATCH), id: idOf(1) };

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
		insertRequests: (sql) => insertRequests(sql, lines),
		"listRequests of the first page": (sql) =>
			listRequests(sql, one, {}, {}, { limit: BATCH }),
		"listRequests from the middle with filters": (sql) =>
			listRequests(
				sql,
				one,
				{ after },
				{ path: "/none", requestId: "none" },
				{ end, limit: BATCH },
			),
		findScanEnd: (sql) => findScanEnd(sql, one, { after }, BATCH),
		deleteOldRequests: (sql) => deleteOldRequests(sql, 7, BATCH),
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
	await sql`
		insert into requests (
			organization_id, created_at, id, request_id, method, path, status, duration_ms, api_key_id, api_key_prefix, omitted
		)
		select
			${one}, to_timestamp(nth / 1000.0), ('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid,
			'a', 'GET', '/usage', 200, 1, ${one}, '', 0
		from generate_series(${first}::int, ${last}::int) as nth
	`;
}
