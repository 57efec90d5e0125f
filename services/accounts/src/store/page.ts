import type { Queryable } from "@airtower/platform/database/database";
import { isAfter, type RowKey } from "@airtower/platform/database/page";

/** One page of a list that runs newest first. */
export interface Page {
	readonly limit: number;
	/** The last row of the page before; undefined for the first page. */
	readonly after: RowKey | undefined;
}

/** Keeps the rows of a page, and one more that tells whether another page follows. */
export function pageClauses(sql: Queryable, { limit, after }: Page) {
	return sql`
		${isAfter(sql, after)}
		order by created_at desc, id desc
		limit ${limit + 1}
	`;
}
