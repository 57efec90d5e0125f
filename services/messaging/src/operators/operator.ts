import type { UnknownPolicy } from "../domain/attempt-outcome.ts";
import type { InboundPart } from "../domain/inbound/inbound-part.ts";
import type { Lane } from "../domain/lanes.ts";
import type { Receipt } from "../domain/receipts/receipt.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { OutgoingMessage } from "./outgoing-message.ts";
import type { OperatorRoute } from "./route/operator-route.ts";

export interface OperatorHandlers {
	/** Resolves when what the receipt says is durable; a rejection makes the operator send it again. */
	onReceipt(receipt: Receipt): Promise<void>;
	/** The same of a text that a phone sent to us, or of a part of one. */
	onMessage(part: InboundPart): Promise<void>;
	/** Each response to a submit, also a late one, with the time since the submit's first byte was written, ms. */
	onResponse?(ms: number): void;
}

export interface OperatorStatus {
	readonly bound: boolean;
	readonly binds: number;
	readonly bindsWanted: number;
	readonly outstanding: number;
	readonly queued: number;
	readonly pausedUntil?: Date;
	/** How fast the operator lets this process go, segments a second; absent while it takes what it gets. */
	readonly pace?: number;
	/** Since when the operator has throttled; absent once it has not for 15 s. */
	readonly throttledSince?: Date;
	readonly lastError?: string;
	/** When a connection that is not up is tried next; absent while none waits for it. */
	readonly nextTryAt?: Date;
}

/** Longest time between `submit` and its result, ms: the wait for a slot plus the wait for the response. */
export const MAX_SUBMIT_MS = 95_000;

export type RouteName = Pick<Operator, "code" | "account">;

export interface Operator {
	readonly code: string;
	/** Scope of the operator's message ids: two routes of one account share their receipts. */
	readonly account: string;
	/** True where a message may go in more parts than it has segments. */
	readonly mayAddParts: boolean;
	/** What is done with a message of the route without a response. */
	readonly unknownPolicy: UnknownPolicy;
	/** Connections that the operator grants to all processes together; their numbers begin with 0. */
	readonly binds: number;
	/** Most parts that may be on their way to the operator at a time, over the connections that are owned. */
	readonly window: number;
	/**
	 * Parts of a lane, or of the most urgent one, that may be submitted now and be written without waiting long; 0 while
	 * unbound, paused or full.
	 */
	capacity(lane?: Lane): number;
	onCapacity(listener: () => void): void;
	/**
	 * Never throws, and resolves within `MAX_SUBMIT_MS`. Parts above `capacity`, and those that `mayWrite` refuses right
	 * before they are written, come back as `unsent`.
	 */
	submit(
		message: OutgoingMessage,
		mayWrite?: () => boolean,
	): Promise<SubmitResult>;
	/** Connects nothing yet. */
	start(handlers: OperatorHandlers): void;
	/**
	 * Keeps up these connections and no others. What is given up takes no more parts, and is closed once those that are on
	 * their way are responded to. None is opened while `mayOpen` says no.
	 */
	hold(slots: readonly number[], mayOpen: () => boolean): void;
	/** Connections that are owned or not closed yet. */
	open(): readonly number[];
	/**
	 * Takes on other settings of the route, for what comes from now on. SMPP binds stay, unless they were made with what
	 * is another now: then they take no more parts, and are made anew once those that are on their way are responded to.
	 */
	change(settings: OperatorRoute): void;
	/** Tries connections that are not up now, whatever they wait for. */
	reconnect(): void;
	status(): OperatorStatus;
	/** Takes no more work, waits up to 20 s for outstanding responses, and unbinds. */
	close(): Promise<void>;
}
