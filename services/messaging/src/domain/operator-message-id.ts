import { createHash } from "node:crypto";
import { withoutNul } from "./operator-text.ts";

/** How an operator writes its message ids. "auto": every reading is tried. */
export type IdForm = "auto" | "hex" | "dec" | "exact";

/** The forms of an operator's ids in its responses and in its receipts. */
export interface IdScheme {
	readonly responseIds: IdForm;
	readonly receiptIds: IdForm;
}

/** By the value of a route's option `ids`. */
export const ID_SCHEMES: ReadonlyMap<string, IdScheme> = new Map([
	["auto", { responseIds: "auto", receiptIds: "auto" }],
	["hex", { responseIds: "hex", receiptIds: "hex" }],
	["dec", { responseIds: "dec", receiptIds: "dec" }],
	["exact", { responseIds: "exact", receiptIds: "exact" }],
	["hex-dec", { responseIds: "hex", receiptIds: "dec" }],
	["dec-hex", { responseIds: "dec", receiptIds: "hex" }],
]);

const DECIMAL = /^\d+$/;
const HEXADECIMAL = /^[\da-f]+$/;
/** An index holds no text of any length. */
const MAX_KEY_LENGTH = 255;

/**
 * Keys of an operator's message id, most trusted first (1 to 3). The first key of the id in a submit's response is
 * stored; a receipt belongs to the part whose stored key equals the first of its keys that any part has. In place of
 * an id that is too long to be one stands its hash.
 */
export function canonicalKeys(id: string, form: IdForm): string[] {
	const plain = form === "exact" ? withoutNul(id) : normalize(id);
	if (plain.length > MAX_KEY_LENGTH) return [hash(plain)];
	if (form === "exact" || form === "hex") return [plain];
	if (form === "dec") return [DECIMAL.test(plain) ? toHex(plain) : plain];
	return [...new Set([plain, ...otherReadings(plain)])];
}

/** The message ids that one receipt has. */
export interface ReceiptIds {
	/** That of the TLV if there is one. */
	readonly operatorMessageId: string;
	readonly isTlv: boolean;
	readonly textId: string | undefined;
}

/** Operators write ids in another form in the text of receipts; the TLV most often has that of the response. */
export function receiptKeys(
	{ operatorMessageId, isTlv, textId }: ReceiptIds,
	{ responseIds, receiptIds }: IdScheme,
): string[] {
	const keys = canonicalKeys(operatorMessageId, receiptIds);
	if (!isTlv || responseIds === receiptIds) return keys;
	const ofText = textId === undefined ? [] : canonicalKeys(textId, receiptIds);
	const ofResponse = canonicalKeys(operatorMessageId, responseIds);
	return [...new Set([...ofText, ...keys, ...ofResponse])];
}

/** Whether an id can have been written so; every one can where nothing is said. */
export function isOfForm(id: string, form: IdForm): boolean {
	if (form === "dec") return DECIMAL.test(trim(id));
	return form !== "hex" || HEXADECIMAL.test(trim(id));
}

/** Receipts are padded by some operators with zeros, blanks or NULs. */
function normalize(id: string): string {
	const trimmed = trim(id);
	if (!HEXADECIMAL.test(trimmed)) return trimmed;
	return trimmed.replace(/^0+(?=.)/, "");
}

function trim(id: string): string {
	return id.replaceAll("\0", "").trim().toLowerCase();
}

function otherReadings(plain: string): string[] {
	if (DECIMAL.test(plain)) return [toHex(plain), toDecimal(plain)];
	return HEXADECIMAL.test(plain) ? [toDecimal(plain)] : [];
}

const toHex = (decimal: string) => BigInt(decimal).toString(16);
const toDecimal = (hex: string) => BigInt(`0x${hex}`).toString();

function hash(text: string): string {
	return createHash("sha256").update(text).digest("hex");
}
