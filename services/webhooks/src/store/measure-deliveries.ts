import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";

/** How many deliveries wait, counted up to a limit, and the age of the oldest one's event, seconds. */
export async function measureDeliveries(
	sql: Queryable,
	limit: number,
): Promise<{ readonly count: number; readonly ageS: number }> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<[{ count: number; ageS: number }]>`
		select
			count(*) as count,
			coalesce(
				extract(epoch from now() - min(uuid_extract_timestamp(event_id))),
				0
			)::float8 as "ageS"
		from (
			select event_id
			from delivery_queue
			order by event_id
			limit ${limit}
		) as oldest
	`,
	);
	return { ...row, ageS: Math.max(0, row.ageS) };
}
