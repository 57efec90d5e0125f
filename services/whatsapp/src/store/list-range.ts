import type { Queryable } from "@airtower/platform/database/database";
import type { RowKey } from "@airtower/platform/database/page";

export interface ListRange {
	readonly limit: number;
	readonly after: RowKey | undefined;
	/** Inclusive. */
	readonly from: Date | undefined;
	/** Exclusive. */
	readonly to: Date | undefined;
}

/** `and column = value`, nothing for an empty value. */
export function matches(sql: Queryable, column: string, value: string) {
	return value === "" ? sql`` : sql`and ${sql(column)} = ${value}`;
}

export function dateRange(sql: Queryable, { from, to }: ListRange) {
	return sql`
		${from === undefined ? sql`` : sql`and created_at >= ${from}`}
		${to === undefined ? sql`` : sql`and created_at < ${to}`}
	`;
}
