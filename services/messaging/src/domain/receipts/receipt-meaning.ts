import type { MessageFailureReason } from "../failure-reason.ts";

export type ReceiptState = "delivered" | "failed" | "intermediate";

export interface NetworkError {
	readonly network: number;
	readonly code: number;
}

export interface ReceiptMeaning {
	readonly state: ReceiptState;
	readonly reason?: MessageFailureReason;
}

const DELIVERED: ReceiptMeaning = { state: "delivered" };
const INTERMEDIATE: ReceiptMeaning = { state: "intermediate" };
const failed = (reason: MessageFailureReason): ReceiptMeaning => ({
	state: "failed",
	reason,
});

/** SMPP 3.4, appendix B, and its vendors. */
const MEANING_OF_STAT: ReadonlyMap<string, ReceiptMeaning> = new Map([
	["DELIVRD", DELIVERED],
	["DELIVERED", DELIVERED],
	["ACCEPTD", INTERMEDIATE],
	["ACCEPTED", INTERMEDIATE],
	["ENROUTE", INTERMEDIATE],
	["ACKED", INTERMEDIATE],
	["BUFFRED", INTERMEDIATE],
	["BUFFERD", INTERMEDIATE],
	["BUFFERED", INTERMEDIATE],
	["UNDELIV", failed("undeliverable")],
	["UNDELIVERABLE", failed("undeliverable")],
	["UNDELIVERED", failed("undeliverable")],
	["FAILED", failed("undeliverable")],
	["EXPIRED", failed("expired")],
	["DELETED", failed("operator_error")],
	["REJECTD", failed("rejected")],
	["REJECTED", failed("rejected")],
	["UNKNOWN", failed("operator_error")],
]);

/** message_state (SMPP 3.4, 5.2.28). */
const STAT_OF_STATE: ReadonlyMap<number, string> = new Map([
	[1, "ENROUTE"],
	[2, "DELIVRD"],
	[3, "EXPIRED"],
	[4, "DELETED"],
	[5, "UNDELIV"],
	[6, "ACCEPTD"],
	[7, "UNKNOWN"],
	[8, "REJECTD"],
]);

/** MAP errors (3GPP TS 29.002) that name the subscriber, under network type 3, GSM. */
const GSM_NETWORK = 3;
const REASON_OF_MAP_ERROR: ReadonlyMap<number, MessageFailureReason> = new Map([
	[1, "unknown_subscriber"],
	[5, "unknown_subscriber"],
	[9, "blocked"],
	[13, "blocked"],
]);

export function statOfState(state: number | undefined): string | undefined {
	return state === undefined ? undefined : STAT_OF_STATE.get(state);
}

/** What an operator's own words and error codes mean; the standard's meanings come after them. */
export interface ReceiptWords {
	/** By the word in capitals. */
	readonly states: ReadonlyMap<string, ReceiptMeaning>;
	/** By the code as `plainCode` writes it. */
	readonly reasons: ReadonlyMap<string, MessageFailureReason>;
}

interface ReceiptCodes {
	readonly stat: string;
	readonly network: NetworkError | undefined;
	/** Of the text. */
	readonly err: string | undefined;
}

/** Whether a word is one that the operator or the standard has for a state. @param stat in capitals */
export function isStat(
	stat: string | undefined,
	{ states }: Pick<ReceiptWords, "states">,
): boolean {
	return stat !== undefined && (states.has(stat) || MEANING_OF_STAT.has(stat));
}

/** A word that nobody knows is "intermediate": a later receipt may still say how it ended. */
export function meaningOfStat(
	{ stat, network, err }: ReceiptCodes,
	{ states, reasons }: ReceiptWords,
): ReceiptMeaning {
	const meaning = states.get(stat) ?? MEANING_OF_STAT.get(stat) ?? INTERMEDIATE;
	if (meaning.state !== "failed") return meaning;
	const own =
		reasons.get(plainCode(network?.code)) ?? reasons.get(plainCode(err));
	const ofMap =
		network?.network === GSM_NETWORK
			? REASON_OF_MAP_ERROR.get(network.code)
			: undefined;
	const reason = own ?? ofMap;
	return reason === undefined ? meaning : failed(reason);
}

/** An error code without leading zeros, which operators write or leave out. */
export function plainCode(code: string | number | undefined): string {
	return String(code ?? "").replace(/^0+(?=\d)/, "");
}

export interface ReceiptText {
	readonly id?: string;
	readonly stat?: string;
	readonly err?: string;
}

const NAMES = "id|sub|dlvrd|submit ?date|done ?date|stat|err|text";

const FIELD = new RegExp(
	`(?<![\\w-])(${NAMES})[ ]*:[ ]*(?!(?:${NAMES})[ ]*:)([^\\s,;]*)`,
	"gi",
);

const MESSAGE_TEXT = /(?<![\w-])text[ ]*:/i;

const MAX_LENGTH = 1_000;

/** Operators end the text, or pad single fields, as C strings. */
const NUL = "\0";

/** Reads "id:... stat:... err:... text:..." (SMPP 3.4, appendix B), in any order, any of them missing. */
export function parseReceiptText(text: string): ReceiptText {
	const bounded = text.slice(0, MAX_LENGTH).replaceAll(NUL, " ");
	const head = fieldsOf(bounded.split(MESSAGE_TEXT, 1)[0] ?? "");
	// What follows "text:" was written by the sender of the message: it never overrules the fields before it.
	if (isWhole(head)) return head;
	return { ...fieldsOf(bounded), ...head };
}

function fieldsOf(text: string): ReceiptText {
	const found = new Map<string, string>();
	for (const [, name = "", value = ""] of text.matchAll(FIELD)) {
		const key = name.toLowerCase().replace(" ", "");
		if (value !== "" && !found.has(key)) found.set(key, value);
	}
	return {
		...pick("id", found.get("id")),
		...pick("stat", found.get("stat")?.toUpperCase()),
		...pick("err", found.get("err")),
	};
}

function pick(name: keyof ReceiptText, value: string | undefined): ReceiptText {
	return value === undefined ? {} : { [name]: value };
}

export interface ReceiptSource {
	readonly esmClass: number;
	/** What its text says. */
	readonly fields: ReceiptText;
	readonly receiptedMessageId?: string;
	readonly messageState?: number;
	readonly networkError?: Uint8Array;
}

/** Bits of esm_class (5.2.12). */
const MESSAGE_TYPE = 0x3c;
const DELIVERY_RECEIPT = 0x04;
const INTERMEDIATE_NOTIFICATION = 0x20;

/** True when a deliver_sm reports on a message rather than being one. */
export function isReceipt(source: ReceiptSource): boolean {
	return (
		isMarkedReceipt(source.esmClass) ||
		source.receiptedMessageId !== undefined ||
		isWhole(source.fields)
	);
}

export function isMarkedReceipt(esmClass: number): boolean {
	const type = esmClass & MESSAGE_TYPE;
	return type === DELIVERY_RECEIPT || type === INTERMEDIATE_NOTIFICATION;
}

/** True when a text names a message and its state: it is a receipt whatever else the deliver_sm has. */
export function isWhole({ id, stat }: ReceiptText): boolean {
	return id !== undefined && stat !== undefined;
}
