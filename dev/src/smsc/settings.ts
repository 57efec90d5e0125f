/** How the simulator writes a message id. */
export type IdStyle = "hex" | "HEX" | "dec" | "padded" | "text";

/** Where a receipt says what became of a message. */
export type ReceiptStyle = "full" | "text" | "tlv" | "payload";

/** What can be changed while the simulator runs. */
export interface SmscSettings {
	/** Ids in submit_sm_resp and in receipts: hexadecimal, decimal, decimal with leading zeros, or words. */
	answerIds: IdStyle;
	receiptIds: IdStyle;
	/** "full": text and TLVs; "payload": the text in message_payload. */
	receiptStyle: ReceiptStyle;
	/** From the submit to its answer, ms. */
	answerDelayMs: number;
	/** From the submit to the receipt of an ordinary number, ms. */
	receiptDelayMs: number;
	/** Stretches the fixed delays of the behaving numbers; below 1 they get shorter. */
	timeFactor: number;
	/** Submits above are throttled (0x58); 0 for no limit. */
	submitsPerSecond: number;
	/** After how long a refused or unanswered receipt is sent again, ms. */
	redeliverMs: number;
	/** Unanswered receipts per session. */
	receiptWindow: number;
}

export const defaultSettings: SmscSettings = {
	answerIds: "hex",
	receiptIds: "hex",
	receiptStyle: "full",
	answerDelayMs: 0,
	receiptDelayMs: 100,
	timeFactor: 1,
	submitsPerSecond: 0,
	redeliverMs: 1_000,
	receiptWindow: 200,
};
