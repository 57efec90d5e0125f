import type { Receipt } from "../domain/receipt.ts";
import type { SubmitResult } from "../domain/submit-result.ts";

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
