import type { Queryable } from "@airtower/platform/database/database";
import { unknownMessages } from "./unknown-messages.ts";

/** How many there are, counted up to a limit, and the age of the oldest, seconds. */
export async function measureUnknown(
	sql: Queryable,
	limit: number,
): Promise<{ count: number; ageS: number }> {
	const [row] = await sql<[{ count: number; ageS: number }]>`
		select
			count(*) as count,
			coalesce(extract(epoch from now() - min(sent_at)), 0)::float8 as "ageS"
		from (
			select *
			from ${unknownMessages(sql)} as oldest
			order by sent_at
			limit ${limit}
		) as counted
	`;
	return row;
}
