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

/** The slot of each of these reasons, which has it for good. */
export async function reasonSlots(
	sql: Tx,
	reasons: readonly string[],
): Promise<ReadonlyMap<string, number>> {
	const wanted = [...new Set(reasons)].toSorted();
	const slots = new Map<string, number>();
	if (wanted.length === 0) return slots;
	const find = async () => {
		const rows = await sql<{ reason: string; slot: number }[]>`
			select reason, slot
			from report_reasons
			where reason = any(${wanted}::text[])
		`;
		for (const { reason, slot } of rows) slots.set(reason, slot);
	};
	await find();
	if (slots.size === wanted.length) return slots;
	// Of two batches with the same new reason, the second waits until the first has committed, and then finds its slot.
	await sql`
		insert into report_reasons (reason)
		select reason
		from unnest(${wanted}::text[]) as given (reason)
		where reason <> all(${[...slots.keys()]}::text[])
		order by reason
		on conflict do nothing
	`;
	await find();
	return slots;
}

/** Reasons by their slots, of which some may have none. */
export async function listReasons(
	sql: Queryable,
): Promise<ReadonlyMap<number, string>> {
	const rows = await sql<{ reason: string; slot: number }[]>`
		select reason, slot from report_reasons
	`;
	return new Map(rows.map(({ reason, slot }) => [slot, reason]));
}

/** Adds counts of different keys. Rows go in the order of the key: two batches cannot deadlock. */
export async function addCounts(
	sql: Tx,
	counts: readonly ReportCount[],
): Promise<void> {
	if (counts.length === 0) return;
	const rows = counts.map(({ failures, receiptTimes, ...count }) => ({
		...count,
		failures: String(failures),
		receiptTimes: String(receiptTimes),
	}));
	await sql`
		insert into report_counts as counts (
			organization_id, dimension, begins_at, value, channel, currency,
			accepted, delivered, canceled, failures, receipt_times, segments, cost_micros
		)
		select
			organization_id, dimension, begins_at, value, channel, currency,
			accepted, delivered, canceled, failures::numeric, receipt_times::numeric, segments, cost_micros
		from ${unnest(sql, rows, {
			organizationId: "uuid",
			dimension: "text",
			beginsAt: "timestamptz",
			value: "text",
			channel: "text",
			currency: "text",
			accepted: "bigint",
			delivered: "bigint",
			canceled: "bigint",
			failures: "text",
			receiptTimes: "text",
			segments: "bigint",
			costMicros: "bigint",
		})}
		order by organization_id, dimension, begins_at, value, channel, currency
		on conflict (organization_id, dimension, begins_at, value, channel, currency) do update
		set
			accepted = counts.accepted + excluded.accepted,
			delivered = counts.delivered + excluded.delivered,
			canceled = counts.canceled + excluded.canceled,
			failures = counts.failures + excluded.failures,
			receipt_times = counts.receipt_times + excluded.receipt_times,
			segments = counts.segments + excluded.segments,
			cost_micros = counts.cost_micros + excluded.cost_micros
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
 * 2026-03-01. They are added up as float8, exact to 2^53: what bigints add up to is numeric, twice the work. To the
 * server, a report of the most lines looks like most of the table, which it would read whole and sort on disk.
 */
export async function listCountSums(
	sql: Queryable,
	organizationId: string,
	range: ReportRange,
	limit: number,
): Promise<CountSum[]> {
	return byIndex(
		sql,
		(sql) => sql<CountSum[]>`
			select
				${groupValue(sql, range)} as value,
				channel,
				currency,
				sum(accepted::float8) as accepted,
				sum(delivered::float8) as delivered,
				sum(canceled::float8) as canceled,
				sum(failures) as failures,
				sum(receipt_times) as "receiptTimes",
				sum(segments::float8) as segments,
				sum(cost_micros::float8) as "costMicros"
			from report_counts
			where ${isIn(sql, organizationId, range)}
			group by 1, 2, 3
			limit ${limit}
		`,
		{ maySort: false },
	);
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
