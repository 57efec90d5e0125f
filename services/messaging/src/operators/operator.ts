import type { Receipt } from "../domain/receipt.ts";
import type { SubmitResult } from "../domain/submit-result.ts";

export interface OutgoingMessage {
	readonly messageId: string;
	/** Counts from 1; for logs only. */
	readonly attempt: number;
	readonly to: string;
	readonly sender: string;
	readonly body: string;
	/** How long the operator may try from now, seconds. */
	readonly validitySeconds: number;
	/** Concatenation reference, 0-255: the same for every attempt of a message, so that its parts still fit together. */
	readonly reference: number;
	/** Numbers of the parts to submit, from 1. Absent: all of them. */
	readonly onlyParts?: readonly number[];
}

export interface OperatorHandlers {
	/** Resolves when what the receipt says is durable; a rejection makes the operator send it again. */
	onReceipt(receipt: Receipt): Promise<void>;
}

export interface OperatorStatus {
	readonly bound: boolean;
	readonly binds: number;
	readonly bindsWanted: number;
	readonly outstanding: number;
	readonly queued: number;
	readonly pausedUntil?: Date;
	readonly lastError?: string;
}

/** Longest time between `submit` and its result, ms: the wait for a slot plus the wait for the response. */
export const MAX_SUBMIT_MS = 95_000;

export interface Operator {
	readonly code: string;
	/** Scope of the operator's message ids: two routes of one account share their receipts. */
	readonly account: string;
	/** Most parts that may be on their way to the operator at a time, over all its connections. */
	readonly window: number;
	/** Parts that may be submitted now and be written without waiting long; 0 while unbound, paused or full. */
	capacity(): number;
	/** Calls the listener, at most once per turn of the event loop, after capacity has become available. */
	onCapacity(listener: () => void): void;
	/**
	 * Submits the parts of a message. Never throws, and resolves within `MAX_SUBMIT_MS`; above `capacity` parts queue for
	 * a while, then come back as `unsent`.
	 * @param mayWrite asked right before each part is written: one that may not be comes back as `unsent`. Absent: always
	 */
	submit(
		message: OutgoingMessage,
		mayWrite?: () => boolean,
	): Promise<SubmitResult>;
	/** Starts connecting and returns at once; the connections are kept up until `close`. */
	start(handlers: OperatorHandlers): Promise<void>;
	status(): OperatorStatus;
	/** Takes no more work, waits up to 30 s for outstanding responses, and unbinds. */
	close(): Promise<void>;
}
