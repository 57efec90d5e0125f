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
	readonly hits: number;
}

export interface PartEnd {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
	readonly state: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly operatorError: string;
}

export interface ReceiptEffects {
	readonly ends: readonly PartEnd[];
	readonly done: readonly number[];
	readonly unmatched: readonly number[];
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
	const done: number[] = [];
	const unmatched: number[] = [];
	const ambiguous: number[] = [];
	for (const receipt of receipts) {
		const match = matchOf.get(receipt.id);
		if (match === undefined) unmatched.push(receipt.id);
		else if (match.hits > 1) ambiguous.push(receipt.id);
		else {
			done.push(receipt.id);
			const end = endOf(receipt, match);
			const part = `${match.messageId} ${match.number}`;
			if (end !== undefined && !ends.has(part)) ends.set(part, end);
		}
	}
	return { ends: [...ends.values()], done, unmatched, ambiguous };
}

function endOf(
	receipt: NumberedReceipt,
	match: PartMatch,
): PartEnd | undefined {
	const { state, reason = null, operatorError } = receipt;
	if (state === "intermediate") return undefined;
	const { messageId, number, partCount } = match;
	return { messageId, number, partCount, state, reason, operatorError };
}
