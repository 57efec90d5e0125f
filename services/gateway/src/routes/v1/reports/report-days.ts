import {
	type Timestamp,
	timestampDate,
	timestampFromMs,
	timestampMs,
} from "@bufbuild/protobuf/wkt";
import { endsBeforeItBegins } from "../../../schemas/filters.ts";
import { EARLIEST_MS } from "../../../schemas/times.ts";

const DAY_MS = 86_400_000;
/** Of a report whose query names no first day. */
const USUAL_DAYS = 30;

interface Days {
	readonly dateFrom: Timestamp;
	readonly dateTo: Timestamp;
}

/** The days of a report as its query names them, tomorrow being the usual end. Throws where that is before the first. */
export function reportDays(given: Partial<Days>, nowMs: number): Days {
	const { dateTo = timestampFromMs(nowMs + DAY_MS) } = given;
	if (given.dateFrom && timestampMs(given.dateFrom) > timestampMs(dateTo))
		throw endsBeforeItBegins();
	const usualMs = timestampMs(dateTo) - USUAL_DAYS * DAY_MS;
	const usual = timestampFromMs(Math.max(usualMs, EARLIEST_MS));
	return { dateFrom: given.dateFrom ?? usual, dateTo };
}

/** The day of UTC that a time is in, YYYY-MM-DD. */
export function toDay(time: Timestamp): string {
	return timestampDate(time).toISOString().slice(0, 10);
}
