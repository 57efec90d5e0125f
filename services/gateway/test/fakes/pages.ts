import type { PageRequest } from "@airtower/proto/common/v1/page";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { type TimestampSchema, timestampNow } from "@bufbuild/protobuf/wkt";

interface Row {
	readonly id?: string | bigint;
	readonly createdAt?: MessageInitShape<typeof TimestampSchema> | undefined;
}

/** A page of rows that are kept oldest first, and where the next one begins. */
export function pageOf<R extends Row>(
	rows: readonly R[],
	page: PageRequest | undefined,
) {
	const newest = rows.toReversed();
	const after = page?.after?.id;
	const start =
		after === undefined
			? 0
			: newest.findIndex(({ id }) => String(id) === after) + 1;
	const limit = page?.limit ?? 0;
	const shown = newest.slice(start, start + limit);
	const last = shown.at(-1);
	if (last === undefined || start + limit >= newest.length) return { shown };
	const { createdAt = timestampNow(), id } = last;
	return { shown, next: { createdAt, id: String(id) } };
}
