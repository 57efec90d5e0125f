import type { MessageFailureReason } from "./failure-reason.ts";

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

export interface MessageProgress {
	readonly messageId: string;
	readonly partCount: number;
	readonly delivered: number;
	readonly failed: number;
}

export interface DecidedMessage {
	readonly id: string;
	readonly status: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly receiptError?: string;
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

export function singleMessageEnd(end: PartEnd): DecidedMessage {
	const { messageId: id, state: status, operatorError: receiptError } = end;
	return { id, status, reason: failureReason(end), receiptError };
}

/** A message of several parts fails as soon as one of them has, and is delivered when all are; undefined while open. */
export function longMessageEnd(
	progress: MessageProgress,
	ends: readonly PartEnd[],
): DecidedMessage | undefined {
	const { messageId: id, partCount, delivered, failed } = progress;
	if (failed > 0) {
		const end = ends.find(
			(one) => one.messageId === id && one.state === "failed",
		);
		return { id, status: "failed", reason: end?.reason ?? "undeliverable" };
	}
	if (delivered < partCount) return undefined;
	return { id, status: "delivered", reason: null };
}

function failureReason({ state, reason }: PartEnd) {
	return state === "failed" ? (reason ?? "undeliverable") : null;
}
