import type postgres from "postgres";
import type { Queryable } from "./database.ts";

/** Deletes up to `limit` rows of a table; returns how many. One that changes meanwhile is left to a later batch. */
export async function deleteBatch(
	sql: Queryable,
	table: string,
	where: postgres.Fragment,
	limit: number,
): Promise<number> {
	const deleted = await sql`
		delete from ${sql(table)}
		where ctid = any(array(
			select ctid
			from ${sql(table)}
			where ${where}
			limit ${limit}
		))
	`;
	return deleted.count;
}
