import { timeOfShare, unpackCounts } from "./receipt-times.ts";
import type { CountKey } from "./report-counts.ts";

/** Counts of one key over the time of a report. */
export interface CountSum extends CountKey {
	readonly messages: number;
	readonly segments: number;
	readonly costMicros: number;
	/** A sum of `packedCount`; null where nothing was delivered. */
	readonly receiptTimes: string | null;
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
	const messages = { accepted: 0, delivered: 0, failed: 0, canceled: 0 };
	const failures = new Map<string, number>();
	const costs = new Map<string, number>();
	const times: number[] = [];
	let segments = 0;
	for (const sum of sums) {
		const { result, reason, currency } = sum;
		messages[result] += sum.messages;
		segments += sum.segments;
		if (result === "failed") addTo(failures, reason, sum.messages);
		if (currency !== "") addTo(costs, currency, sum.costMicros);
		if (sum.receiptTimes !== null) addCounts(times, sum.receiptTimes);
	}
	const { delivered, failed, canceled } = messages;
	const ended = delivered + failed + canceled;
	const accepted = Math.max(ended, messages.accepted);
	return {
		value,
		channel,
		accepted,
		delivered,
		failed,
		canceled,
		unknown: accepted - ended,
		failures: inOrder(failures).map(([reason, messages]) => ({
			reason,
			messages,
		})),
		medianSeconds: timeOfShare(times, 0.5),
		p95Seconds: timeOfShare(times, 0.95),
		segments: Math.max(0, segments),
		costs: inOrder(costs).map(([currency, micros]) => ({ currency, micros })),
	};
}

function addTo(sums: Map<string, number>, key: string, amount: number): void {
	sums.set(key, (sums.get(key) ?? 0) + amount);
}

function addCounts(sums: number[], packed: string): void {
	for (const [bucket, count] of unpackCounts(packed).entries())
		sums[bucket] = (sums[bucket] ?? 0) + count;
}

function inOrder(sums: ReadonlyMap<string, number>): [string, number][] {
	return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
