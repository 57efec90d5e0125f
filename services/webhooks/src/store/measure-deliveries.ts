import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";

interface MeasuredDeliveries {
	/** Deliveries that wait, counted up to a limit. */
	readonly count: number;
	/** Age of the oldest one's event, seconds. */
	readonly ageS: number;
	/** How long the oldest is due that has not been tried, seconds; of endpoints whose latest attempts succeeded. */
	readonly untriedS: number;
}

/** Whose endpoint fails is looked up once for each endpoint: hundreds of thousands may wait for those that do. */
export async function measureDeliveries(
	sql: Queryable,
	limit: number,
): Promise<MeasuredDeliveries> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<[MeasuredDeliveries]>`
		select
			coalesce(sum(count), 0)::bigint as count,
			${secondsSince(sql, sql`min(first_at)`)} as "ageS",
			${secondsSince(
				sql,
				sql`min(untried_since) filter (
					where exists (
						select
						from endpoints
						where id = endpoint_id
						and status = 'active'
						and failing_since is null
					)
				)`,
			)} as "untriedS"
		from (
			select
				endpoint_id,
				count(*) as count,
				min(uuid_extract_timestamp(event_id)) as first_at,
				min(due_at) filter (where attempt = 0) as untried_since
			from (
				select event_id, endpoint_id, due_at, attempt
				from delivery_queue
				order by event_id
				limit ${limit}
			) as oldest
			group by endpoint_id
		) as waiting
	`,
	);
	return row;
}

/** Seconds since a time, 0 for null and for one of the future. */
function secondsSince(sql: Queryable, time: ReturnType<typeof sql>) {
	return sql`greatest(0, coalesce(extract(epoch from now() - ${time}), 0))::float8`;
}
