import type { Queryable } from "@airtower/platform/database/database";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { type DeliveryLine, toDeliveryLines } from "./domain/delivery-lines.ts";
import {
	listCountSums,
	listReasons,
	type ReportRange,
} from "./store/report-counts.ts";

/** Lines of one report: so many take 130 ms of CPU in the database, here and in the gateway together. */
const MAX_LINES = 5_000;
/** Currencies that a line has, by far. */
const SUMS_OF_A_LINE = 10;

/**
 * The sums of a report as the contract has them, in its order. Throws where they would be more than 5,000.
 */
export async function readDelivery(
	sql: Queryable,
	organizationId: string,
	range: ReportRange,
) {
	const limit = MAX_LINES * SUMS_OF_A_LINE;
	const sums = await listCountSums(sql, organizationId, range, limit + 1);
	// Read after the sums, in which each reason has its slot.
	const lines = toDeliveryLines(sums, await listReasons(sql));
	if (sums.length > limit || lines.length > MAX_LINES)
		throw reportTooLarge(`would have more than ${MAX_LINES} lines`);
	const isOfTime = range.groupBy === "hour" || range.groupBy === "day";
	return lines.toSorted(isOfTime ? byTime : bySize).map(lineToProto);
}

export function reportTooLarge(what: string) {
	return invalid(
		"report_too_large",
		"date_from",
		`The report ${what}: ask for fewer days.`,
	);
}

function lineToProto(line: DeliveryLine) {
	const { failures, costs, medianSeconds, p95Seconds } = line;
	return {
		value: line.value,
		channel: line.channel,
		accepted: BigInt(line.accepted),
		delivered: BigInt(line.delivered),
		failed: BigInt(line.failed),
		canceled: BigInt(line.canceled),
		unknown: BigInt(line.unknown),
		failures: failures.map(({ reason, messages }) => ({
			reason,
			messages: BigInt(messages),
		})),
		...(medianSeconds !== undefined && { medianSeconds }),
		...(p95Seconds !== undefined && { p95Seconds }),
		segments: BigInt(line.segments),
		costs: costs.map(({ currency, micros }) => ({
			currency,
			micros: BigInt(micros),
		})),
	};
}

/** The newest first. */
function byTime(a: DeliveryLine, b: DeliveryLine): number {
	return compare(b.value, a.value) || compare(a.channel, b.channel);
}

/** Those with most messages first. */
function bySize(a: DeliveryLine, b: DeliveryLine): number {
	return (
		b.accepted - a.accepted ||
		compare(a.value, b.value) ||
		compare(a.channel, b.channel)
	);
}

function compare(a: string, b: string): number {
	if (a === b) return 0;
	return a < b ? -1 : 1;
}
