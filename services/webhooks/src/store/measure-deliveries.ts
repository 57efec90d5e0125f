import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";

export interface MeasuredDeliveries {
	/** Deliveries that wait, counted up to a limit. */
	readonly count: number;
	/** Age of the oldest one's event, seconds. */
	readonly ageS: number;
	/** How long the oldest is due that has not been tried, seconds; of endpoints whose latest attempts succeeded. */
	readonly untriedS: number;
}

/** Endpoints that fail are found up to so many. */
const MOST_FAILING = 1_000;

export async function measureDeliveries(
	sql: Queryable,
	limit: number,
): Promise<MeasuredDeliveries> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<[MeasuredDeliveries]>`
		select
			count(*) as count,
			${secondsSince(sql, sql`min(uuid_extract_timestamp(event_id))`)} as "ageS",
			${secondsSince(
				sql,
				sql`min(due_at) filter (
					where attempt = 0
					and endpoint_id <> all (array(
						select id
						from endpoints
						where failing_since is not null
						limit ${MOST_FAILING}
					))
				)`,
			)} as "untriedS"
		from (
			select event_id, endpoint_id, due_at, attempt
			from delivery_queue
			order by event_id
			limit ${limit}
		) as oldest
	`,
	);
	return row;
}

/** Seconds since a time, 0 for null and for one of the future. */
function secondsSince(sql: Queryable, time: ReturnType<typeof sql>) {
	return sql`greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
}
