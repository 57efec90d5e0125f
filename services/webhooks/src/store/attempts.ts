import type { Queryable } from "@airtower/platform/database/database";

/** Removes up to `limit` of the oldest entries of the attempt log, none younger than `days`. */
export async function deleteOldAttempts(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const rows = await sql`
		delete from attempts
		where id in (
			select id
			from attempts
			order by id
			limit ${limit}
			for update skip locked
		)
		and at < now() - ${days} * interval '1 day'
	`;
	return rows.count;
}
