import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type postgres from "postgres";
import type { CountSum, FailureSum } from "../domain/delivery-lines.ts";
import type {
	CountKey,
	ReportCount,
	ReportDimension,
} from "../domain/report-counts.ts";

/** Marks what is to be counted, each once; returns the ids that were marked before, which are few. */
export async function insertMarks(
	sql: Tx,
	ids: readonly string[],
): Promise<string[]> {
	if (ids.length === 0) return [];
	const rows = await sql<{ id: string }[]>`
		with given as materialized (
			select id
			from unnest(${ids}::uuid[]) as given (id)
		),
		fresh as (
			insert into report_marks (id)
			select id
			from given
			order by id
			on conflict do nothing
			returning id
		)
		select id
		from given
		where id not in (select id from fresh)
	`;
	return rows.map(({ id }) => id);
}

/** Deletes marks below an id; returns how many. */
export async function deleteMarks(
	sql: Queryable,
	below: string,
	limit: number,
): Promise<number> {
	const deleted = await sql`
		delete from report_marks
		where id = any(array(
			select id
			from report_marks
			where id < ${below}
			order by id
			limit ${limit}
		))
	`;
	return deleted.count;
}

/** Adds counts of different keys. Rows go in the order of the key: two batches cannot deadlock. */
export async function addCounts(
	sql: Tx,
	counts: readonly ReportCount[],
): Promise<void> {
	if (counts.length === 0) return;
	const rows = counts.map(({ receiptTimes, ...count }) => ({
		...count,
		receiptTimes: receiptTimes?.toString(),
	}));
	await sql`
		insert into report_counts as counts (
			organization_id, dimension, begins_at, value, channel, result, reason, currency,
			messages, segments, cost_micros, receipt_times
		)
		select
			organization_id, dimension, begins_at, value, channel, result, reason, currency,
			messages, segments, cost_micros, receipt_times::numeric
		from ${unnest(sql, rows, {
			organizationId: "uuid",
			dimension: "text",
			beginsAt: "timestamptz",
			value: "text",
			channel: "text",
			result: "text",
			reason: "text",
			currency: "text",
			messages: "bigint",
			segments: "bigint",
			costMicros: "bigint",
			receiptTimes: "text",
		})}
		order by organization_id, dimension, begins_at, value, channel, result, reason, currency
		on conflict (organization_id, dimension, begins_at, value, channel, result, reason, currency) do update
		set
			messages = counts.messages + excluded.messages,
			segments = counts.segments + excluded.segments,
			cost_micros = counts.cost_micros + excluded.cost_micros,
			receipt_times = counts.receipt_times + excluded.receipt_times
	`;
}

/** Which counts a report adds up, and by what. */
export interface ReportRange {
	readonly groupBy: ReportDimension | "day";
	/** Both where undefined. */
	readonly channel: CountKey["channel"] | undefined;
	/** The first moment, inclusive, and the end, exclusive: both of whole days. */
	readonly from: Date;
	readonly to: Date;
}

/**
 * Sums of each value, channel and currency; the value of an hour or a day is its beginning, as 2026-03-01T13:00:00Z or
 * 2026-03-01. They are added up as float8, exact to 2^53: what bigints add up to is numeric, twice the work.
 */
export async function listCountSums(
	sql: Queryable,
	organizationId: string,
	range: ReportRange,
	limit: number,
): Promise<CountSum[]> {
	return byPrimaryKey(
		sql,
		(sql) => sql<CountSum[]>`
			select
				${groupValue(sql, range)} as value,
				channel,
				currency,
				sum(messages::float8) filter (where result = 'accepted') as accepted,
				sum(messages::float8) filter (where result = 'delivered') as delivered,
				sum(messages::float8) filter (where result = 'canceled') as canceled,
				sum(segments::float8) as segments,
				sum(cost_micros::float8) as "costMicros",
				sum(receipt_times) filter (where receipt_times is not null) as "receiptTimes"
			from report_counts
			where ${isIn(sql, organizationId, range)}
			group by 1, 2, 3
			limit ${limit}
		`,
	);
}

/**
 * The messages that failed, by reason, in one row for each value and channel. They are read apart from the other sums, in
 * which each reason would be a row with all figures.
 */
export async function listFailureSums(
	sql: Queryable,
	organizationId: string,
	range: ReportRange,
	limit: number,
): Promise<FailureSum[]> {
	return byPrimaryKey(
		sql,
		(sql) => sql<FailureSum[]>`
			select value, channel, json_object_agg(reason, messages) as failures
			from (
				select
					${groupValue(sql, range)} as value,
					channel,
					reason,
					sum(messages::float8) as messages
				from report_counts
				where ${isIn(sql, organizationId, range)}
				and result = 'failed'
				group by 1, 2, 3
			) as sums
			group by 1, 2
			limit ${limit}
		`,
	);
}

/** To the server, a report of the most lines looks like most of the table, which it would read whole and sort on disk. */
function byPrimaryKey<T extends readonly postgres.MaybeRow[]>(
	sql: Queryable,
	toQuery: (sql: Tx) => postgres.PendingQuery<T>,
): Promise<T> {
	return byIndex(sql, toQuery, { maySort: false });
}

function isIn(
	sql: Queryable,
	organizationId: string,
	{ groupBy, channel, from, to }: ReportRange,
) {
	return sql`
		organization_id = ${organizationId}
		and dimension = ${groupBy === "day" ? "hour" : groupBy}
		and begins_at >= ${from}
		and begins_at < ${to}
		${channel === undefined ? sql`` : sql`and channel = ${channel}`}
	`;
}

function groupValue(sql: Queryable, { groupBy }: ReportRange) {
	switch (groupBy) {
		case "hour":
			return sql`to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
		case "day":
			return sql`to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD')`;
		default:
			return sql`value`;
	}
}
