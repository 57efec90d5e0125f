import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { CountSum } from "../domain/delivery-lines.ts";
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

/** From the first moment, inclusive, to the end, exclusive: both of whole days. */
export interface ReportTime {
	readonly from: Date;
	readonly to: Date;
}

/**
 * Sums over the time; the value of an hour or a day is its beginning, as 2026-03-01T13:00:00Z or 2026-03-01. It goes by
 * the primary key: to the server, a report of the most lines looks like most of the table, which it would read whole and
 * sort on disk.
 */
export async function listCountSums(
	sql: Queryable,
	organizationId: string,
	groupBy: ReportDimension | "day",
	{ from, to }: ReportTime,
	channel: CountKey["channel"] | undefined,
	limit: number,
): Promise<CountSum[]> {
	return byIndex(
		sql,
		(sql) => sql<CountSum[]>`
			select
				${groupValue(sql, groupBy)} as value,
				channel,
				result,
				reason,
				currency,
				sum(messages)::bigint as messages,
				sum(segments)::bigint as segments,
				sum(cost_micros)::bigint as "costMicros",
				sum(receipt_times) as "receiptTimes"
			from report_counts
			where organization_id = ${organizationId}
			and dimension = ${groupBy === "day" ? "hour" : groupBy}
			and begins_at >= ${from}
			and begins_at < ${to}
			${channel === undefined ? sql`` : sql`and channel = ${channel}`}
			group by 1, 2, 3, 4, 5
			limit ${limit}
		`,
		{ maySort: false },
	);
}

function groupValue(sql: Queryable, groupBy: ReportDimension | "day") {
	switch (groupBy) {
		case "hour":
			return sql`to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
		case "day":
			return sql`to_char(begins_at at time zone 'UTC', 'YYYY-MM-DD')`;
		default:
			return sql`value`;
	}
}
