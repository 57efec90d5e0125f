import type postgres from "postgres";
import { byIndex } from "../database/by-index.ts";
import type { Queryable } from "../database/database.ts";

/** A queue whose key is one id that begins with its time. */
interface MeasuredQueue {
	readonly table: string;
	readonly id: string;
	/** Counting, and looking, stops here: beyond, the figure only says "very many". */
	readonly limit: number;
}

/** How many rows there are, counted up to the limit. */
export async function countRows(
	sql: Queryable,
	{ table, limit }: MeasuredQueue,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count
		from (select from ${sql(table)} limit ${limit}) as waiting
	`;
	return row?.count ?? 0;
}

/** Seconds since the id of the first row of `oldest` was made for which this is true, 0 for none. */
export async function findOldestAge(
	sql: Queryable,
	{ table, id, limit }: MeasuredQueue,
	isCounted: postgres.Fragment,
): Promise<number> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<{ ageS: number }[]>`
		select extract(epoch from now() - uuid_extract_timestamp(${sql(id)}))::float8 as "ageS"
		from (
			select *
			from ${sql(table)}
			order by ${sql(id)}
			limit ${limit}
		) as oldest
		where ${isCounted}
		order by ${sql(id)}
		limit 1
	`,
	);
	return Math.max(0, row?.ageS ?? 0);
}
