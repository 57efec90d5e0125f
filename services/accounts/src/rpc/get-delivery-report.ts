import { assertOrganization } from "@airtower/platform/rpc/caller";
import { invalid } from "@airtower/platform/runtime/domain-error";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { type Timestamp, timestampMs } from "@bufbuild/protobuf/wkt";
import {
	type DeliveryLine,
	toDeliveryLines,
} from "../domain/delivery-lines.ts";
import type { CountKey, ReportDimension } from "../domain/report-counts.ts";
import { listCountSums } from "../store/report-counts.ts";
import type { Handler } from "./handler.ts";

const DAY_MS = 86_400_000;
/** Days of one report. */
const MAX_DAYS = 31;
/** Lines of one report. */
const MAX_LINES = 10_000;
/** Results, reasons and currencies that a line has, by far. */
const SUMS_OF_A_LINE = 10;

export const getDeliveryReport: Handler<
	typeof AccountService.method.getDeliveryReport
> = async (ctx, request, context) => {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const groupBy = request.groupBy as ReportDimension | "day";
	const from = beginOfDay(request.dateFrom);
	const to = beginOfDay(request.dateTo);
	if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS)
		throw tooLarge(`covers more than ${MAX_DAYS} days`);
	const limit = MAX_LINES * SUMS_OF_A_LINE;
	const sums = await listCountSums(
		ctx.sql,
		organizationId,
		groupBy,
		{ from, to },
		request.channel === ""
			? undefined
			: (request.channel as CountKey["channel"]),
		limit + 1,
	);
	const lines = toDeliveryLines(sums);
	if (sums.length > limit || lines.length > MAX_LINES)
		throw tooLarge(`would have more than ${MAX_LINES} lines`);
	const isOfTime = groupBy === "hour" || groupBy === "day";
	return {
		sums: lines.toSorted(isOfTime ? byTime : bySize).map(lineToProto),
	};
};

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

function tooLarge(what: string) {
	return invalid(
		"report_too_large",
		"date_from",
		`The report ${what}: ask for fewer days.`,
	);
}

/** Of UTC. */
function beginOfDay(time: Timestamp | undefined): Date {
	if (time === undefined) throw new Error("The contract requires the time.");
	const ms = timestampMs(time);
	return new Date(Math.floor(ms / DAY_MS) * DAY_MS);
}
