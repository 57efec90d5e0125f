/** How the simulator writes a message id: hexadecimal, decimal, decimal with leading zeros, or words. */
export const idStyles = ["hex", "HEX", "dec", "padded", "text"] as const;
export type IdStyle = (typeof idStyles)[number];

/** Where a receipt says what became of a message. "full": text and TLVs; "payload": the text in message_payload. */
export const receiptStyles = ["full", "text", "tlv", "payload"] as const;
type ReceiptStyle = (typeof receiptStyles)[number];

export interface SmscSettings {
	answerIds: IdStyle;
	receiptIds: IdStyle;
	receiptStyle: ReceiptStyle;
	/** From the submit to its response, ms. */
	answerDelayMs: number;
	/** From the submit to the receipt of an ordinary number, ms. */
	receiptDelayMs: number;
	/** Multiplies the fixed delays of the behaving numbers. */
	timeFactor: number;
	/** Submits above are throttled (0x58); 0 for no limit. */
	submitsPerSecond: number;
	/** Sessions that may be bound at a time; binds above are refused (0x0D). 0 for no limit. */
	maxBinds: number;
	/** After how long a refused receipt is sent again, ms. */
	redeliverMs: number;
	receiptWindow: number;
	/** Receipts wait, as of an operator that takes messages and tells nothing more of them. */
	receiptsHeld: boolean;
}

export const defaultSettings: SmscSettings = {
	answerIds: "hex",
	receiptIds: "hex",
	receiptStyle: "full",
	answerDelayMs: 0,
	receiptDelayMs: 100,
	timeFactor: 1,
	submitsPerSecond: 0,
	maxBinds: 0,
	redeliverMs: 1_000,
	receiptWindow: 200,
	receiptsHeld: false,
};
