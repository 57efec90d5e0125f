/** A parked receipt, as far as it tells whose it is. */
export interface NumberedKeys {
	readonly id: number;
	readonly numberTails: readonly string[];
}

/** A part that waits for its receipt. */
export interface WaitingPart {
	readonly account: string;
	readonly messageId: string;
	readonly number: number;
	readonly operatorMessageId: string;
	/** As it is stored. */
	readonly operatorKey: string;
	/** Last seven digits of its recipient; empty where that was erased. */
	readonly recipientTail: string;
	readonly senderTail: string;
	readonly submittedAt: Date | null;
	/** No stored receipt up to this one is of it. */
	readonly receiptsBefore: number;
}

/** "matched": its recipient is named. "unnumbered": the receipt names no number that tells. */
export type Judgement =
	| { readonly kind: "matched" | "unnumbered"; readonly part: WaitingPart }
	| { readonly kind: "ambiguous" | "contradicted" | "unmatched" };

/**
 * Whose a receipt would be if it had these keys: of the first key that any part has which the receipt does not
 * contradict, as receipts are matched. Contradicted where only parts to other numbers have its first key.
 */
export function judgeReceipt(
	receipt: NumberedKeys,
	keys: readonly string[],
	partsOf: (key: string) => readonly WaitingPart[],
): Judgement {
	const isEarlier = (part: WaitingPart) => part.receiptsBefore < receipt.id;
	for (const key of keys) {
		const fitting = partsOf(key).filter(
			(part) => isEarlier(part) && !isContradicted(receipt, part),
		);
		const named = fitting.filter((part) => isNamed(receipt, part));
		const [part, other] = named.length > 0 ? named : fitting;
		if (part === undefined) continue;
		if (other !== undefined) return { kind: "ambiguous" };
		return { kind: named.length > 0 ? "matched" : "unnumbered", part };
	}
	const [first = ""] = keys;
	return {
		kind: partsOf(first).some(isEarlier) ? "contradicted" : "unmatched",
	};
}

function isNamed(
	{ numberTails }: NumberedKeys,
	{ recipientTail }: WaitingPart,
): boolean {
	return numberTails.includes(recipientTail);
}

/** It names a number that is neither the recipient's, unless that was erased, nor the sender's. */
function isContradicted(
	{ numberTails }: NumberedKeys,
	{ recipientTail, senderTail }: WaitingPart,
): boolean {
	return (
		recipientTail !== "" &&
		!numberTails.includes(recipientTail) &&
		numberTails.some((tail) => tail !== senderTail)
	);
}
