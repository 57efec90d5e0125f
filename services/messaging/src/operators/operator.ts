/** Why a message failed, in the words of the public API. */
export type MessageFailureReason =
	| "rejected"
	| "undeliverable"
	| "expired"
	| "operator_error"
	| "blocked"
	| "unknown_subscriber";

/** A message on its way to an operator. */
export interface OutgoingMessage {
	readonly messageId: string;
	/** Counts from 1; for logs only. */
	readonly attempt: number;
	/** E.164 with or without "+". */
	readonly to: string;
	/** A sender name or a number. */
	readonly sender: string;
	readonly body: string;
	/** How long the operator may try from now, seconds. */
	readonly validitySeconds: number;
	/**
	 * Concatenation reference, 0-255. The same for every attempt of a message, so that its parts
	 * still fit together; another one for the next long message of the same sender and recipient.
	 */
	readonly reference: number;
	/** Numbers of the parts to submit, from 1. Absent: all of them. */
	readonly onlyParts?: readonly number[];
}

/** What is known about one part after its submit. */
export type PartOutcome =
	| PartAccepted
	| PartRefused
	| PartThrottled
	| PartDoubtful
	| PartUnsent
	| PartUnknown;

/** The operator has it and will send a receipt. */
export interface PartAccepted {
	readonly kind: "accepted";
	/** The id exactly as it was answered; empty when the operator gave none, which no receipt ever matches. */
	readonly operatorMessageId: string;
	/** The form of the id to store, unique within the operator account. See `Receipt.matchKeys`. */
	readonly storeKey: string;
}

/** The operator does not have it. Temporary: may go again after a delay. Permanent: never. */
export interface PartRefused {
	readonly kind: "refused";
	readonly permanent: boolean;
	readonly reason: MessageFailureReason;
	readonly operatorError: string;
}

/** The operator does not have it and wants less traffic: the whole route pauses by itself. */
export interface PartThrottled {
	readonly kind: "throttled";
	readonly operatorError: string;
	readonly retryAfterMs: number;
}

/** The operator refused for no clear reason: once more on another route, then failed. */
export interface PartDoubtful {
	readonly kind: "doubtful";
	readonly reason: MessageFailureReason;
	readonly operatorError: string;
}

/** Provably never taken by the operator: may go again freely, without counting as an attempt. */
export interface PartUnsent {
	readonly kind: "unsent";
	readonly why: string;
}

/** Written, and no answer came: the operator may or may not have it. Never guessed. */
export interface PartUnknown {
	readonly kind: "unknown";
	readonly why: string;
	/** What the answer says if it comes after all; undefined once it cannot. Absent: it cannot. Never rejects. */
	readonly late?: Promise<PartOutcome | undefined>;
}

/** The outcome of one part; `part` is its number, from 1. */
export type PartResult = PartOutcome & { readonly part: number };

export interface SubmitResult {
	/** Number of parts that this route makes of the message, whether submitted now or not. */
	readonly total: number;
	/** One entry per submitted part, in order of number. */
	readonly parts: readonly PartResult[];
}

/** What an operator reports about one part. */
export interface Receipt {
	readonly operatorAccount: string;
	/** The id exactly as it was received. */
	readonly operatorMessageId: string;
	/**
	 * Keys that a stored `storeKey` of the same account may equal, most trusted first (1 to 3):
	 * the first key with a hit wins, the later ones are then not looked at.
	 */
	readonly matchKeys: readonly string[];
	/**
	 * Last seven digits of the numbers that it names, in whatever form: one is the recipient's. By a key other than the
	 * first only a part of that recipient is found. Empty when it names none.
	 */
	readonly numberTails: readonly string[];
	readonly state: "delivered" | "failed" | "intermediate";
	/** Present when the state is "failed". */
	readonly reason?: MessageFailureReason;
	/** State and error code as received, for people. */
	readonly operatorError: string;
	/** The operator's own time of the event, when it gave a believable one. */
	readonly occurredAt?: Date;
	/** The receipt as received (its text, then its TLVs), without the text of the message. */
	readonly raw: string;
}

export interface OperatorHandlers {
	/** Resolves when the receipt is stored durably; a rejection makes the operator send it again. */
	onReceipt(receipt: Receipt): Promise<void>;
}

export interface OperatorStatus {
	/** True when messages can be submitted. */
	readonly bound: boolean;
	/** Connections that are up, and that should be. */
	readonly binds: number;
	readonly bindsWanted: number;
	/** Parts written and not answered yet. */
	readonly outstanding: number;
	/** Parts that wait for a free slot. */
	readonly queued: number;
	/** End of the pause that the operator's throttling caused. */
	readonly pausedUntil?: Date;
	/** Why the last bind failed; absent once bound. */
	readonly lastError?: string;
}

/** Longest time between `submit` and its result, ms: the wait for a slot plus the wait for the answer. */
export const MAX_SUBMIT_MS = 95_000;

/** One route to an operator, whatever its protocol. */
export interface Operator {
	/** Public code of the route. */
	readonly code: string;
	/** Scope of the operator's message ids: two routes of one account share their receipts. */
	readonly account: string;
	/** Agreed rate in segments per second; absent for no limit. Enforced by the operator itself. */
	readonly messagesPerSecond?: number;
	/** Most parts that may be on their way to the operator at a time, over all its connections. */
	readonly window: number;
	/** Parts that may be submitted now and be written without waiting long; 0 while unbound, paused or full. */
	capacity(): number;
	/** Calls the listener, at most once per turn of the event loop, after capacity has become available. */
	onCapacity(listener: () => void): void;
	/**
	 * Submits the parts of a message. Never throws and always settles, within `MAX_SUBMIT_MS`.
	 * Above `capacity` parts queue for a while, then come back as `unsent`.
	 * @param mayWrite asked right before each part is written: one that may not be comes back as `unsent`. Absent: always
	 */
	submit(
		message: OutgoingMessage,
		mayWrite?: () => boolean,
	): Promise<SubmitResult>;
	/** Starts connecting and returns at once; the connections are kept up until `close`. */
	start(handlers: OperatorHandlers): Promise<void>;
	status(): OperatorStatus;
	/** Takes no more work, waits up to 30 s for outstanding answers, and says goodbye. */
	close(): Promise<void>;
}
