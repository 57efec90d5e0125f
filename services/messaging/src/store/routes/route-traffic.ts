import type { Queryable } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";

/** How long the counts are kept, ms. */
const MINUTES_RETENTION_MS = 2 * 24 * 3_600_000;
const HOURS_RETENTION_MS = 8 * 24 * 3_600_000;

/** Messages to one country that were submitted to a route in one minute, as far as they are not stored yet. */
export interface TrafficCount {
	readonly route: string;
	/** Calling code of the country, as "+33"; empty for a number that was erased. */
	readonly prefix: string;
	/** The beginning of the minute of their submission, by the database's clock. */
	readonly minute: Date;
	readonly submitted: number;
	/** Ended by a receipt, as are those that failed. */
	readonly delivered: number;
	readonly failed: number;
	/** From submission to receipt, of those that have ended, together. */
	readonly receiptSeconds: number;
}

const COUNT = {
	route: "text",
	prefix: "text",
	minute: "timestamptz",
	submitted: "integer",
	delivered: "integer",
	failed: "integer",
	receiptSeconds: "float8",
} as const;

/** Adds to what is stored. Rows are locked in one order, so that processes that do so together wait for each other. */
export async function addTraffic(
	sql: Queryable,
	counts: readonly TrafficCount[],
): Promise<void> {
	await sql`
		with counted as materialized (
			select *
			from ${unnest(sql, counts, COUNT)}
		),
		minutes as (
			insert into route_minutes as known (minute, route, submitted, delivered, failed, receipt_seconds)
			select minute, route, sum(submitted), sum(delivered), sum(failed), sum(receipt_seconds)
			from counted
			where minute >= ${ago(sql, MINUTES_RETENTION_MS)}
			group by minute, route
			order by minute, route
			on conflict (minute, route) do update
			set
				submitted = known.submitted + excluded.submitted,
				delivered = known.delivered + excluded.delivered,
				failed = known.failed + excluded.failed,
				receipt_seconds = known.receipt_seconds + excluded.receipt_seconds
		)
		insert into route_prefix_hours as known (hour, route, prefix, submitted, delivered, failed)
		select date_trunc('hour', minute, 'UTC') as hour, route, prefix, sum(submitted), sum(delivered), sum(failed)
		from counted
		where minute >= ${ago(sql, HOURS_RETENTION_MS)}
		group by hour, route, prefix
		order by hour, route, prefix
		on conflict (hour, route, prefix) do update
		set
			submitted = known.submitted + excluded.submitted,
			delivered = known.delivered + excluded.delivered,
			failed = known.failed + excluded.failed
	`;
}

const ago = (sql: Queryable, ms: number) =>
	sql`now() - ${ms} * interval '1 millisecond'`;

/** Returns how many rows. */
export async function deleteOldTraffic(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const oldMinutes = sql`minute < ${ago(sql, MINUTES_RETENTION_MS)}`;
	const oldHours = sql`hour < ${ago(sql, HOURS_RETENTION_MS)}`;
	const minutes = await deleteBatch(sql, "route_minutes", oldMinutes, limit);
	const hours = await deleteBatch(sql, "route_prefix_hours", oldHours, limit);
	return minutes + hours;
}
