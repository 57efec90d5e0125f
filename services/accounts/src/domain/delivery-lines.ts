import { addPacked, timeOfShare, unpackCounts } from "./packed-counts.ts";
import type { CountKey } from "./report-counts.ts";

/** Counts of one value, channel and currency over the time of a report. */
export interface CountSum extends CountKey {
	readonly accepted: number;
	readonly delivered: number;
	readonly canceled: number;
	/** A sum of `packedCount` by the slots of reasons. */
	readonly failures: string;
	/** A sum of `packedCount` by the buckets of times. */
	readonly receiptTimes: string;
	readonly segments: number;
	readonly costMicros: number;
}

/** The messages of one value and channel. */
export interface DeliveryLine extends Pick<CountKey, "value" | "channel"> {
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

/**
 * One line for each value and channel that has messages, in no order.
 * @param reasons by their slots
 */
export function toDeliveryLines(
	sums: readonly CountSum[],
	reasons: ReadonlyMap<number, string>,
): DeliveryLine[] {
	const byLine = Map.groupBy(
		sums,
		({ channel, value }) => `${channel} ${value}`,
	);
	return [...byLine.values()]
		.map((line) => toLine(line, reasons))
		.filter((line) => line !== undefined);
}

/** What has ended was accepted, also where an older release told of its acceptance to nobody. */
function toLine(
	sums: readonly CountSum[],
	reasons: ReadonlyMap<number, string>,
): DeliveryLine | undefined {
	const [first] = sums;
	if (first === undefined) return undefined;
	const { value, channel } = first;
	const all = sums.reduce(add);
	const failures = unpackCounts(all.failures)
		.map((messages, slot) => ({ reason: reasons.get(slot) ?? "", messages }))
		.filter(({ messages }) => messages > 0)
		.toSorted((a, b) => (a.reason < b.reason ? -1 : 1));
	const failed = failures.reduce((sum, { messages }) => sum + messages, 0);
	const ended = all.delivered + failed + all.canceled;
	const accepted = Math.max(ended, all.accepted);
	if (accepted === 0) return undefined;
	const receiptTimes = unpackCounts(all.receiptTimes);
	return {
		value,
		channel,
		accepted,
		delivered: all.delivered,
		failed,
		canceled: all.canceled,
		unknown: accepted - ended,
		failures,
		medianSeconds: timeOfShare(receiptTimes, 0.5),
		p95Seconds: timeOfShare(receiptTimes, 0.95),
		segments: Math.max(0, all.segments),
		costs: sums
			.filter(({ currency }) => currency !== "")
			.map(({ currency, costMicros }) => ({ currency, micros: costMicros }))
			.toSorted((a, b) => (a.currency < b.currency ? -1 : 1)),
	};
}

function add(a: CountSum, b: CountSum): CountSum {
	return {
		...a,
		accepted: a.accepted + b.accepted,
		delivered: a.delivered + b.delivered,
		canceled: a.canceled + b.canceled,
		failures: addPacked(a.failures, b.failures),
		receiptTimes: addPacked(a.receiptTimes, b.receiptTimes),
		segments: a.segments + b.segments,
	};
}
