import type { ReceiptIds } from "../operator-message-id.ts";
import { parseReceiptText } from "./receipt-meaning.ts";

/** What the stored text of a receipt tells beside its state. */
interface StoredText extends Omit<ReceiptIds, "operatorMessageId"> {
	/** When the operator says that the message was submitted, read as UTC; its clock may be another. */
	readonly submitDate: Date | undefined;
}

const TLV_ID = /(?:^|\s)receipted_message_id=/;
const SUBMIT_DATE =
	/(?<![\w-])submit ?date *: *(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)?(?!\d)/i;
const CENTURY = 2_000;

/** Reads `raw` of a stored receipt: its text, then its TLVs. Nothing of one that was erased. */
export function readParked<Stored extends { readonly raw: string }>(
	stored: Stored,
): Stored & StoredText {
	const { raw } = stored;
	return {
		...stored,
		textId: parseReceiptText(raw).id,
		isTlv: TLV_ID.test(raw),
		submitDate: submitDateFrom(raw),
	};
}

/** YYMMDDhhmm, and seconds in some (SMPP 3.4, appendix B). */
function submitDateFrom(raw: string): Date | undefined {
	const found = SUBMIT_DATE.exec(raw);
	if (found === null) return undefined;
	const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found
		.slice(1)
		.map((digits) => Number(digits ?? 0));
	const time = Date.UTC(CENTURY + year, month - 1, day, hour, minute, second);
	return new Date(time);
}
