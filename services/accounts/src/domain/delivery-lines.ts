import { timeOfShare } from "./receipt-times.ts";
import type { CountKey } from "./report-counts.ts";

/** Counts of one key over the time of a report. */
export interface CountSum extends CountKey {
	readonly messages: number;
	readonly segments: number;
	readonly costMicros: number;
	/** By bucket; empty where nothing was delivered. */
	readonly receiptTimes: readonly number[];
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

/** One line for each value and channel that has messages, in no order. */
export function toDeliveryLines(sums: readonly CountSum[]): DeliveryLine[] {
	const lines = Map.groupBy(
		sums,
		({ value, channel }) => `${channel} ${value}`,
	);
	return [...lines.values()].map(toLine).filter(({ accepted }) => accepted > 0);
}

/** What has ended was accepted, also where an older release told of its acceptance to nobody. */
function toLine(sums: readonly CountSum[]): DeliveryLine {
	const [{ value, channel }] = sums as [CountSum];
	const of = (result: CountKey["result"]) =>
		sums.filter((sum) => sum.result === result);
	const messages = (of: readonly CountSum[]) => total(of, "messages");
	const delivered = messages(of("delivered"));
	const failed = messages(of("failed"));
	const canceled = messages(of("canceled"));
	const ended = delivered + failed + canceled;
	const accepted = Math.max(ended, messages(of("accepted")));
	const times = addTimes(of("delivered"));
	return {
		value,
		channel,
		accepted,
		delivered,
		failed,
		canceled,
		unknown: accepted - ended,
		failures: totals(of("failed"), "reason", "messages").map(
			([reason, messages]) => ({ reason, messages }),
		),
		medianSeconds: timeOfShare(times, 0.5),
		p95Seconds: timeOfShare(times, 0.95),
		segments: Math.max(0, total(sums, "segments")),
		costs: totals(sums, "currency", "costMicros").flatMap(
			([currency, micros]) => (currency === "" ? [] : [{ currency, micros }]),
		),
	};
}

type Amount = "messages" | "segments" | "costMicros";

function total(sums: readonly CountSum[], amount: Amount): number {
	return sums.reduce((sum, one) => sum + one[amount], 0);
}

function totals(
	sums: readonly CountSum[],
	by: "reason" | "currency",
	amount: Amount,
): [string, number][] {
	const groups = Map.groupBy(sums, (sum) => sum[by]);
	return [...groups]
		.map(([key, group]): [string, number] => [key, total(group, amount)])
		.toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function addTimes(sums: readonly CountSum[]): readonly number[] {
	const [first = [], ...rest] = sums.map(({ receiptTimes }) => receiptTimes);
	return rest.reduce(
		(all, one) => all.map((count, bucket) => count + (one[bucket] ?? 0)),
		first,
	);
}
