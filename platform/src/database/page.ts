import {
	type PageKey,
	PageKeySchema,
	type PageRequest,
} from "@airtower/proto/common/v1/page";
import { create } from "@bufbuild/protobuf";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import { invalid } from "../runtime/domain-error.ts";
import { isUuid } from "../runtime/ids.ts";
import type { Queryable } from "./database.ts";

export interface RowKey {
	readonly createdAt: Date;
	readonly id: string;
}

export function pageStart(page: PageRequest | undefined): RowKey | undefined {
	const after = page?.after;
	return after?.createdAt === undefined
		? undefined
		: { createdAt: timestampDate(after.createdAt), id: after.id };
}

/** {@link pageStart} of a list whose ids are UUIDs. Throws invalid `invalid_cursor` after a row that it cannot have. */
export function uuidPageStart(
	page: PageRequest | undefined,
): RowKey | undefined {
	const after = pageStart(page);
	if (after === undefined || isUuid(after.id)) return after;
	throw invalid(
		"invalid_cursor",
		"cursor",
		"The cursor does not belong to this list.",
	);
}

/**
 * Cuts rows, of which one more than the page was read, and tells where the next page begins.
 * @param scanEnd the last row that was looked through; undefined where that was all there are
 */
export function cutPage<Row extends { createdAt: Date; id: string | number }>(
	rows: readonly Row[],
	limit: number,
	scanEnd?: RowKey,
): { rows: readonly Row[]; next: PageKey | undefined } {
	const last = rows.length > limit ? rows[limit - 1] : scanEnd;
	return {
		rows: rows.slice(0, limit),
		next:
			last &&
			create(PageKeySchema, {
				createdAt: timestampFromDate(last.createdAt),
				id: String(last.id),
			}),
	};
}

/** Condition, with a leading "and", on the rows of a list that runs newest first: those after this one. */
export function isAfter(sql: Queryable, after: RowKey | undefined) {
	return after === undefined
		? sql``
		: sql`and (created_at, id) < (${after.createdAt}, ${after.id}::uuid)`;
}
