import type { MessageFailureReason } from "../failure-reason.ts";
import {
	meaningOfStat,
	type NetworkError,
	parseReceiptText,
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
	const fields = parseReceiptText(source.text);
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
