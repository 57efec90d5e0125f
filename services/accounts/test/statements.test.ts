import { randomUUID } from "node:crypto";
import type { Db, Tx } from "@airtower/platform/database/database";
import {
	idOf,
	MANY,
	type Statements,
	testStatements,
} from "@airtower/platform/testing/statements";
import { BUCKETS, packedCount } from "../src/domain/packed-counts.ts";
import { rollUp } from "../src/domain/roll-up.ts";
import { migrations } from "../src/migrations.ts";
import { countActiveKeys, listApiKeys } from "../src/store/api-keys.ts";
import {
	findBalances,
	lockBalances,
	updateBalances,
} from "../src/store/balances.ts";
import { listUsage } from "../src/store/closed-ledger.ts";
import {
	deleteDailyReports,
	findUnreported,
	insertDailyReport,
} from "../src/store/daily-reports.ts";
import { lockLines, storeRolls } from "../src/store/ledger-days.ts";
import {
	addToSums,
	listLedgerSums,
	lockMark,
} from "../src/store/ledger-sums.ts";
import { listLedgerEntries } from "../src/store/listed-entries.ts";
import {
	listOrganizationIds,
	listOrganizations,
} from "../src/store/organizations.ts";
import { findQuotaSince } from "../src/store/quota.ts";
import {
	addCounts,
	deleteMarks,
	insertMarks,
	listCountSums,
	listReasons,
	reasonSlots,
} from "../src/store/report-counts.ts";
import {
	findReservations,
	insertReservations,
} from "../src/store/reservations.ts";
import { findUsableKeys, updateLastUsed } from "../src/store/usable-keys.ts";
import { GROUPS } from "./support/reported-messages.ts";

const BATCH = 200;
/** Rows read and index searches for one message, key or balance; what grows with the tables takes hundreds. */
const MOST_PER_ROW = 12;

const one = idOf(1);
const entries = Array.from({ length: BATCH }, (_, nth) => idOf(MANY / 2 + nth));
const fresh = entries.map(() => randomUUID());

const MIDDLE = { createdAt: new Date(MANY / 2), id: idOf(MANY / 2) };

/** The nth organization, its key, or the message of the nth entry. */

function reservationsOf(messageIds: readonly string[]) {
	return messageIds.map((messageId) => ({
		organizationId: one,
		messageId,
		campaignId: null,
		channel: "sms" as const,
	}));
}

/** The longest time of a report. */
const MARCH_OF_1980 = {
	channel: undefined,
	from: new Date("1980-03-01"),
	to: new Date("1980-04-01"),
};

const THREE_DAYS = ["1980-01-01", "1980-01-02", "1980-01-03"];

function countOfDay(_: string, nth: number) {
	return {
		organizationId: one,
		dimension: "sender",
		beginsAt: new Date(Date.UTC(1980, 0, nth + 1)),
		value: "",
		channel: "sms",
		currency: "",
		accepted: 1,
		delivered: 1,
		canceled: 0,
		failures: packedCount(1),
		receiptTimes: packedCount(BUCKETS - 1),
		segments: 0,
		costMicros: 0,
	} as const;
}

const STATEMENTS: Statements = {
	"insertReservations of new messages": (sql) =>
		insertReservations(sql, reservationsOf(fresh), ["trial"]),
	"insertReservations of known messages": (sql) =>
		insertReservations(sql, reservationsOf(entries), ["trial"]),
	"insertReservations of many organizations": (sql) =>
		insertReservations(
			sql,
			entries.map((organizationId) => ({
				organizationId,
				messageId: organizationId,
				campaignId: null,
				channel: "sms",
			})),
			["trial"],
		),
	findReservations: (sql) => findReservations(sql, reservationsOf(entries)),
	"lockLines and storeRolls": async (sql) => {
		const day = { organizationId: one, day: new Date(0) };
		await storeRolls(sql, rollUp(await lockLines(sql, day, BATCH)));
	},
	lockMark: (sql) => lockMark(sql, one),
	addToSums: (sql) => addToSums(sql, one, MIDDLE.createdAt, BATCH),
	listLedgerSums: (sql) =>
		listLedgerSums(
			sql,
			one,
			{ first: "1970-01-01", end: "1970-04-01" },
			{ byCampaign: true, limit: BATCH },
		),
	...Object.fromEntries(
		GROUPS.map((groupBy) => [
			`listCountSums by ${groupBy}`,
			(sql: Tx) => listCountSums(sql, one, { ...MARCH_OF_1980, groupBy }, MANY),
		]),
	),
	"reasonSlots of known reasons": (sql) => reasonSlots(sql, ["expired"]),
	"reasonSlots of new reasons": (sql) => reasonSlots(sql, ["blocked"]),
	listReasons,
	insertMarks: (sql) => insertMarks(sql, [...entries, ...fresh]),
	deleteMarks: (sql) => deleteMarks(sql, MIDDLE.id, BATCH),
	addCounts: (sql) => addCounts(sql, entries.map(countOfDay)),
	findUnreported: (sql) => findUnreported(sql, entries, THREE_DAYS),
	insertDailyReport: (sql) =>
		insertDailyReport(sql, { organizationId: one, day: "1980-01-01" }),
	deleteDailyReports: (sql) => deleteDailyReports(sql, "1980-01-01", BATCH),
	listUsage: (sql) => listUsage(sql, "sms", MIDDLE, new Date(), BATCH),
	updateLastUsed: (sql) =>
		updateLastUsed(
			sql,
			entries.map((apiKeyId) => ({ apiKeyId, usedAt: new Date() })),
		),
	findQuotaSince: (sql) => findQuotaSince(sql, one, new Date(MANY / 2)),
	"listLedgerEntries of the first page": (sql) =>
		listLedgerEntries(sql, one, { limit: BATCH, after: undefined }),
	"listLedgerEntries from the middle": (sql) =>
		listLedgerEntries(sql, one, { limit: BATCH, after: MIDDLE }),
	countActiveKeys: (sql) => countActiveKeys(sql, one),
	listApiKeys: (sql) =>
		listApiKeys(sql, one, { limit: BATCH, after: undefined }),
	listOrganizations: (sql) =>
		listOrganizations(sql, { limit: BATCH, after: MIDDLE }),
	listOrganizationIds: (sql) => listOrganizationIds(sql, MIDDLE.id, BATCH),
	lockBalances: (sql) => lockBalances(sql, entries),
	findBalances: (sql) => findBalances(sql, entries),
	updateBalances: (sql) =>
		updateBalances(sql, new Map(entries.map((id) => [id, 7]))),
	findUsableKeys: (sql) =>
		findUsableKeys(
			sql,
			entries.map((id) => ({ pepperId: "a", digest: digestOf(id) })),
		),
};

function digestOf(id: string): Buffer {
	return Buffer.from(id.replaceAll("-", ""));
}

testStatements({
	migrations: migrations,
	statements: STATEMENTS,
	fill: insertRows,
	queues: [],
	mostReads: BATCH * MOST_PER_ROW,
});

/**
 * These organizations, each with a plan, a balance and a key, and as many entries of the first one. The very first is a
 * grant, as in use: whoever counts the table then sees no usage and no message in it.
 */
async function insertRows(sql: Db, first: number, last: number) {
	const numbers = sql`
		select nth, ('00000000-0000-7000-8000-' || lpad(nth::text, 12, '0'))::uuid as id
		from generate_series(${first}::int, ${last}::int) as nth
	`;
	await sql`
		insert into organizations (id, name, email, state)
		select id, id::text, 'a@example.com', 'trial' from (${numbers}) as one
	`;
	await sql`
		insert into subscriptions (organization_id, plan, status)
		select id, 'default', 'active' from (${numbers}) as one
	`;
	await sql`
		insert into balances (organization_id, balance)
		select id, ${MANY} from (${numbers}) as one
	`;
	await sql`
		insert into ledger_marks (organization_id, summed_until)
		select id, to_timestamp(${MANY - BATCH} / 1000.0) from (${numbers}) as one
	`;
	await sql`
		insert into ledger_sums (organization_id, day, kind, channel, units, entries)
		select ${one}, date '1970-01-01' + nth, 'usage', 'sms', -1, 1 from (${numbers}) as one
	`;
	await sql`
		insert into daily_reports (day, organization_id)
		select date '1970-01-01' + nth, id from (${numbers}) as one
	`;
	await sql`
		insert into report_marks (id)
		select id from (${numbers}) as one
	`;
	await sql`
		insert into report_counts (
			organization_id, dimension, begins_at, value, channel, currency,
			accepted, delivered, canceled, failures, receipt_times, segments, cost_micros
		)
		select
			${one}, dimension, begins_at, '', 'sms', '',
			1, 1, 0, 0, 1, 0, 0
		from (${numbers}) as one
		cross join lateral (values
			('hour', timestamptz '1970-01-01Z' + nth * interval '1 hour'),
			('sender', timestamptz '1970-01-01Z' + nth * interval '1 day')
		) as counted (dimension, begins_at)
	`;
	await sql`
		insert into api_keys (
			id, organization_id, name, prefix, pepper_id, digest, scopes, state
		)
		select id, id, 'key', '', 'a', convert_to(replace(id::text, '-', ''), 'utf8'), '{sms:send}', 'active'
		from (${numbers}) as one
	`;
	await sql`
		insert into ledger_entries (
			organization_id, created_at, id, kind, units, balance_after, channel, message_id
		)
		select ${one}, to_timestamp(nth / 1000.0), id, 'usage', -1, ${MANY}::bigint - nth, 'sms', id
		from (${numbers}) as one
		where nth > 1
	`;
	await sql`
		insert into ledger_entries (
			organization_id, created_at, id, kind, units, balance_after, grant_id
		)
		select ${one}, to_timestamp(nth / 1000.0), id, 'grant', ${MANY}::bigint, ${MANY}::bigint, id
		from (${numbers}) as one
		where nth = 1
	`;
}
