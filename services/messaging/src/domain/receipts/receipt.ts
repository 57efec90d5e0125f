import {
	type RetryLimits,
	retryDelay,
} from "@airtower/platform/runtime/retry-delay";
import type { MessageFailureReason } from "../failure-reason.ts";
import {
	meaningOfStat,
	type NetworkError,
	type ReceiptSource,
	type ReceiptState,
	type ReceiptText,
	type ReceiptWords,
	statOfState,
} from "./receipt-meaning.ts";

interface ParsedReceipt {
	/** As it was received: that of the TLV if there is one. */
	readonly operatorMessageId: string;
	readonly state: ReceiptState;
	readonly reason?: MessageFailureReason;
	/** State and error code as received, for people. */
	readonly operatorError: string;
}

/** What an operator reports about one part. */
export interface Receipt extends ParsedReceipt {
	readonly operatorAccount: string;
	/** What a stored `storeKey` of the account may equal (1 to 3): the first that names a part counts. */
	readonly matchKeys: readonly string[];
	/** Last seven digits of the numbers that it names (0 to 2): one is the recipient's. */
	readonly numberTails: readonly string[];
	/** The recipient and the sender, in either order, as far as it names them (see `plainAddresses`). */
	readonly addresses: readonly string[];
	/** The receipt as received (its text, then its TLVs), without the text of the message. */
	readonly raw: string;
}

/** TLVs win over the text. Undefined when it names no message or no state. */
export function parseReceipt(
	source: ReceiptSource,
	words: ReceiptWords,
): ParsedReceipt | undefined {
	const { fields } = source;
	const operatorMessageId = cleanId(source.receiptedMessageId) ?? fields.id;
	const stat = statOfState(source.messageState) ?? fields.stat;
	if (operatorMessageId === undefined || stat === undefined) return undefined;
	const network = networkErrorOf(source.networkError);
	const { err } = fields;
	const { state, reason } = meaningOfStat({ stat, network, err }, words);
	return {
		operatorMessageId,
		state,
		operatorError: errorText(stat, fields, network),
		...(reason && { reason }),
	};
}

function cleanId(id: string | undefined): string | undefined {
	const cleaned = id?.replaceAll("\0", "").trim();
	return cleaned === "" ? undefined : cleaned;
}

function errorText(
	stat: string,
	fields: ReceiptText,
	error: NetworkError | undefined,
): string {
	if (error !== undefined)
		return `${stat} network:${error.network} err:${error.code}`;
	return fields.err === undefined ? stat : `${stat} err:${fields.err}`;
}

function networkErrorOf(
	octets: Uint8Array | undefined,
): NetworkError | undefined {
	const [network, high, low] = octets ?? [];
	if (network === undefined || high === undefined || low === undefined)
		return undefined;
	return { network, code: high * 256 + low };
}

/** Two forms of one number are compared by so many digits: operators leave out or add prefixes. */
export const TAIL_DIGITS = 7;

export function numberTails(
	addresses: readonly (string | undefined)[],
): string[] {
	const tails = addresses.flatMap(
		(address) => TAIL.exec(address?.trim() ?? "")?.[1] ?? [],
	);
	return [...new Set(tails)];
}

/** No number in full begins with a zero: those before it do not make a short one long enough. */
const TAIL = /^\+?0*(?=[1-9])\d*(\d{7})$/;

/** Addresses of a receipt as they are compared; those that are missing or empty are left out. */
export function plainAddresses(
	addresses: readonly (string | undefined)[],
): string[] {
	return addresses.flatMap((address) => {
		const plain = address?.replaceAll("\0", "").trim().toLowerCase() ?? "";
		return plain.replace(/^\+/, "") || [];
	});
}

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
