/** How an operator writes its message ids. "auto": every reading is tried. */
export type IdForm = "auto" | "hex" | "dec" | "exact";

const DECIMAL = /^\d+$/;
const HEXADECIMAL = /^[\da-f]+$/;

/**
 * Keys of an operator's message id, most trusted first (1 to 3). The first key of the id in a submit's response is
 * stored; a receipt belongs to the part whose stored key equals the first of its keys that any part has.
 */
export function canonicalKeys(id: string, form: IdForm): string[] {
	if (form === "exact") return [id];
	const plain = normalize(id);
	if (form === "dec") return [DECIMAL.test(plain) ? toHex(plain) : plain];
	if (form === "hex") return [plain];
	return [...new Set([plain, ...otherReadings(plain)])];
}

/** Receipts are padded by some operators with zeros, blanks or NULs. */
function normalize(id: string): string {
	const trimmed = id.replaceAll("\0", "").trim().toLowerCase();
	if (!HEXADECIMAL.test(trimmed)) return trimmed;
	return trimmed.replace(/^0+(?=.)/, "");
}

function otherReadings(plain: string): string[] {
	if (DECIMAL.test(plain)) return [toHex(plain), toDecimal(plain)];
	return HEXADECIMAL.test(plain) ? [toDecimal(plain)] : [];
}

const toHex = (decimal: string) => BigInt(decimal).toString(16);
const toDecimal = (hex: string) => BigInt(`0x${hex}`).toString();
