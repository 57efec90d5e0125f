import type { MessageFailureReason } from "../failure-reason.ts";
import { plainAddresses, TAIL_DIGITS } from "./receipt.ts";
import type { ReceiptState } from "./receipt-meaning.ts";

/** Submits to a number that are looked at; where there are so many, nothing is told by their count. */
export const MOST_OF_A_NUMBER = 10;

/** A message of which the operator's response to a submit is missing. */
export interface UnansweredMessage {
	readonly messageId: string;
	readonly recipient: string;
	readonly sender: string;
	/** Null where it is not known. */
	readonly partCount: number | null;
	readonly takenParts: readonly number[];
	/** False while it is being sent again, and once it has been responded to or has ended otherwise. */
	readonly isUnknown: boolean;
	readonly isOnItsWay: boolean;
	/** How many have no response. */
	readonly submits: number;
	/** Of some parts the operator told after the first of these. */
	readonly hasNewParts: boolean;
}

export interface UnansweredPart {
	readonly messageId: string;
	readonly number: number;
	readonly partCount: number;
}

/** The only part that a receipt which names these addresses can be of; undefined when it may be of several. */
export function findOnlyPart(
	addresses: readonly string[],
	messages: readonly UnansweredMessage[],
): UnansweredPart | undefined {
	const [message, ...others] = messages.filter((one) =>
		isNamed(addresses, one),
	);
	if (message?.isUnknown !== true || others.length > 0) return undefined;
	const { messageId, partCount, takenParts, hasNewParts } = message;
	// It may be of the submit before, and of a part that the operator has told of since.
	if (partCount === null || hasNewParts) return undefined;
	const all = Array.from({ length: partCount }, (_, index) => index + 1);
	const [number, ...more] = all.filter((part) => !takenParts.includes(part));
	if (number === undefined || more.length > 0) return undefined;
	return { messageId, number, partCount };
}

/** A receipt without a known id, and the messages that it may be of. */
interface StrayReceipt {
	readonly id: number;
	readonly operatorKey: string;
	readonly addresses: readonly string[];
	readonly state: ReceiptState;
	readonly reason?: MessageFailureReason | null;
	readonly messages: readonly UnansweredMessage[];
}

/**
 * Receipts that may be of the same messages: where as many came as submits have no response and all say the same, it
 * makes no difference which is whose. Each unknown message gets one; those that are left are of submits that were
 * repeated. Only of messages of one part: how many parts of another one were written is not known.
 */
export function pairAlike(
	receipts: readonly StrayReceipt[],
): (UnansweredPart & { readonly receiptId: number })[] {
	const named = receipts.map((receipt) => ({
		receipt,
		messages: receipt.messages
			.filter((one) => isNamed(receipt.addresses, one))
			.toSorted((a, b) => (a.messageId < b.messageId ? -1 : 1)),
	}));
	const groups = Map.groupBy(named, ({ messages }) =>
		messages.map(({ messageId }) => messageId).join(),
	);
	return [...groups.values()].flatMap(([first, ...others]) => {
		if (first === undefined) return [];
		const all = [first, ...others].map(({ receipt }) => receipt);
		return pairGroup(all, first.messages);
	});
}

function pairGroup(
	receipts: readonly StrayReceipt[],
	messages: readonly UnansweredMessage[],
) {
	const final = receipts.filter(({ state }) => state !== "intermediate");
	const ids = new Set(receipts.map(({ operatorKey }) => operatorKey));
	const ofIds = [
		...new Map(final.map((one) => [one.operatorKey, one])).values(),
	];
	const meanings = final.map(({ state, reason }) => `${state} ${reason ?? ""}`);
	const submits = messages.reduce((sum, one) => sum + one.submits, 0);
	if (
		ids.size !== submits ||
		ofIds.length !== submits ||
		submits >= MOST_OF_A_NUMBER ||
		new Set(meanings).size !== 1 ||
		messages.some((one) => one.isOnItsWay || one.partCount !== 1)
	)
		return [];
	const unknown = messages.filter(({ isUnknown }) => isUnknown);
	return unknown.flatMap(({ messageId }, index) => {
		const receiptId = ofIds[index]?.id;
		return receiptId === undefined
			? []
			: [{ receiptId, messageId, number: 1, partCount: 1 }];
	});
}

/** True when one of the addresses is the recipient and the other, if there is one, the sender. */
function isNamed(
	addresses: readonly string[],
	{ recipient, sender }: UnansweredMessage,
): boolean {
	return addresses.some(
		(address, index) =>
			isSame(address, recipient) &&
			addresses.every((other, at) => at === index || isSame(other, sender)),
	);
}

/** Operators leave out or add prefixes of numbers. */
function isSame(address: string, other: string): boolean {
	const [one = "", two = ""] = plainAddresses([address, other]);
	if (one === two) return true;
	const isNumber = NUMBER.test(one) && NUMBER.test(two);
	return isNumber && one.slice(-TAIL_DIGITS) === two.slice(-TAIL_DIGITS);
}

const NUMBER = new RegExp(`^\\d{${TAIL_DIGITS},}$`);
