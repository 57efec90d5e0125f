import { uuidPageStart } from "@airtower/platform/database/page";
import type { PageRequest } from "@airtower/proto/common/v1/page";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { ListRange } from "../store/list-range.ts";

interface ListRequest {
	readonly page?: PageRequest | undefined;
	readonly dateFrom?: Timestamp | undefined;
	readonly dateTo?: Timestamp | undefined;
}

/** The range has one row more than the page, to see whether it goes on. Throws invalid `invalid_cursor`. */
export function toListRange(request: ListRequest): {
	limit: number;
	range: ListRange;
} {
	const { page, dateFrom, dateTo } = request;
	const limit = page?.limit ?? 0;
	const range = {
		limit: limit + 1,
		after: uuidPageStart(page),
		from: dateFrom && timestampDate(dateFrom),
		to: dateTo && timestampDate(dateTo),
	};
	return { limit, range };
}
