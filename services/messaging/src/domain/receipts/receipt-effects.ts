import {
	type RetryLimits,
	retryDelay,
} from "@airtower/platform/runtime/retry-delay";
import type { MessageFailureReason } from "../failure-reason.ts";

export interface NumberedReceipt {
	readonly id: number;
	readonly state: "delivered" | "failed" | "intermediate";
	readonly reason?: MessageFailureReason | null;
	readonly operatorError: string;
}

export interface PartMatch {
	readonly receiptId: number;
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
	/** 0: it is to another number than the receipt names, which does not move it. */
	readonly hits: number;
	/** True when its message has failed for want of a receipt. */
	readonly isLate: boolean;
}

export interface PartEnd {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
	readonly isLate: boolean;
	readonly state: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly operatorError: string;
}

export interface ReceiptEffects {
	readonly ends: readonly PartEnd[];
	readonly done: readonly number[];
	/** Of those that are done: kept with the part, and nothing else moves. */
	readonly late: readonly number[];
	readonly unmatched: readonly number[];
	/** Of those that are unmatched: their key names a part to another number. */
	readonly others: readonly number[];
	/** Their key names several parts: nothing is guessed. */
	readonly ambiguous: readonly number[];
}

/** Sorts receipts, oldest first, by what they do; of several final ones for a part the first counts. */
export function receiptEffects(
	receipts: readonly NumberedReceipt[],
	matches: readonly PartMatch[],
): ReceiptEffects {
	const matchOf = new Map(matches.map((match) => [match.receiptId, match]));
	const ends = new Map<string, PartEnd>();
	const sorted: { [Kind in Exclude<keyof ReceiptEffects, "ends">]: number[] } =
		{ done: [], late: [], unmatched: [], others: [], ambiguous: [] };
	for (const receipt of receipts) {
		const match = matchOf.get(receipt.id);
		if (match === undefined || match.hits === 0) {
			sorted.unmatched.push(receipt.id);
			if (match !== undefined) sorted.others.push(receipt.id);
		} else if (match.hits > 1) sorted.ambiguous.push(receipt.id);
		else {
			sorted.done.push(receipt.id);
			if (match.isLate) sorted.late.push(receipt.id);
			const end = endOf(receipt, match);
			const part = `${match.messageId} ${match.number}`;
			if (end !== undefined && !ends.has(part)) ends.set(part, end);
		}
	}
	return { ...sorted, ends: [...ends.values()] };
}

function endOf(
	receipt: NumberedReceipt,
	{ messageId, number, partCount, isLate }: PartMatch,
): PartEnd | undefined {
	const { state, reason = null, operatorError } = receipt;
	if (state === "intermediate") return undefined;
	return { messageId, number, partCount, isLate, state, reason, operatorError };
}

/** The response to the submit is then on its way, ms. */
const PARKING: RetryLimits = { firstMs: 250, longestMs: 900_000 };

/** Wait before a receipt is looked at again, ms, after `misses` looks that found no part. */
export function parkingDelayMs(misses: number): number {
	return retryDelay(misses + 1, PARKING);
}
