import { addPacked, timeOfShare, unpackCounts } from "./receipt-times.ts";
import type { CountKey } from "./report-counts.ts";

type LineKey = Pick<CountKey, "value" | "channel">;

/** Counts of one value, channel and currency over the time of a report; null where there are none. */
export interface CountSum extends LineKey, Pick<CountKey, "currency"> {
	readonly accepted: number | null;
	readonly delivered: number | null;
	readonly canceled: number | null;
	readonly segments: number;
	readonly costMicros: number;
	/** A sum of `packedCount`; null where nothing was delivered. */
	readonly receiptTimes: string | null;
}

/** The messages of one value and channel that failed, by reason. */
export interface FailureSum extends LineKey {
	readonly failures: Readonly<Record<string, number>>;
}

/** The messages of one value and channel. */
export interface DeliveryLine extends LineKey {
	readonly accepted: number;
	readonly delivered: number;
	readonly failed: number;
	readonly canceled: number;
	readonly unknown: number;
	readonly failures: readonly {
		readonly reason: string;
		readonly messages: number;
	}[];
	readonly medianSeconds: number | undefined;
	readonly p95Seconds: number | undefined;
	readonly segments: number;
	readonly costs: readonly {
		readonly currency: string;
		readonly micros: number;
	}[];
}

/** What the sums of a line come to. */
interface LineSums extends LineKey {
	accepted: number;
	delivered: number;
	canceled: number;
	failed: number;
	segments: number;
	readonly failures: { reason: string; messages: number }[];
	readonly costs: { currency: string; micros: number }[];
	/** A sum of `packedCount`. */
	receiptTimes: string;
}

type Lines = Readonly<Record<CountKey["channel"], Map<string, LineSums>>>;

/** One line for each value and channel that has messages, in no order. */
export function toDeliveryLines(
	sums: readonly CountSum[],
	failures: readonly FailureSum[],
): DeliveryLine[] {
	const lines: Lines = { sms: new Map(), whatsapp: new Map() };
	for (const sum of sums.toSorted(byCurrency))
		addSum(findLine(lines, sum), sum);
	const reasons = reasonsOf(failures);
	for (const sum of failures)
		addFailures(findLine(lines, sum), sum.failures, reasons);
	return [...lines.sms.values(), ...lines.whatsapp.values()]
		.map(toLine)
		.filter(({ accepted }) => accepted > 0);
}

/** In order. */
function reasonsOf(sums: readonly FailureSum[]): string[] {
	const reasons = sums.flatMap(({ failures }) => Object.keys(failures));
	return [...new Set(reasons)].toSorted();
}

function byCurrency(a: CountSum, b: CountSum): number {
	if (a.currency === b.currency) return 0;
	return a.currency < b.currency ? -1 : 1;
}

function findLine(lines: Lines, { value, channel }: LineKey): LineSums {
	const found = lines[channel].get(value);
	if (found !== undefined) return found;
	const line: LineSums = {
		value,
		channel,
		accepted: 0,
		delivered: 0,
		canceled: 0,
		failed: 0,
		segments: 0,
		failures: [],
		costs: [],
		receiptTimes: "0",
	};
	lines[channel].set(value, line);
	return line;
}

function addSum(line: LineSums, sum: CountSum): void {
	line.accepted += sum.accepted ?? 0;
	line.delivered += sum.delivered ?? 0;
	line.canceled += sum.canceled ?? 0;
	line.segments += sum.segments;
	if (sum.currency !== "")
		line.costs.push({ currency: sum.currency, micros: sum.costMicros });
	if (sum.receiptTimes !== null)
		line.receiptTimes = addPacked(line.receiptTimes, sum.receiptTimes);
}

function addFailures(
	line: LineSums,
	failures: FailureSum["failures"],
	reasons: readonly string[],
): void {
	for (const reason of reasons) {
		const messages = failures[reason];
		if (messages === undefined) continue;
		line.failed += messages;
		line.failures.push({ reason, messages });
	}
}

/** What has ended was accepted, also where an older release told of its acceptance to nobody. */
function toLine(sums: LineSums): DeliveryLine {
	const { value, channel, delivered, failed, canceled } = sums;
	const ended = delivered + failed + canceled;
	const accepted = Math.max(ended, sums.accepted);
	const receiptTimes = unpackCounts(sums.receiptTimes);
	return {
		value,
		channel,
		accepted,
		delivered,
		failed,
		canceled,
		unknown: accepted - ended,
		failures: sums.failures,
		medianSeconds: timeOfShare(receiptTimes, 0.5),
		p95Seconds: timeOfShare(receiptTimes, 0.95),
		segments: Math.max(0, sums.segments),
		costs: sums.costs,
	};
}
