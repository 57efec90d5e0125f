import type { MessageFailureReason } from "./failure-reason.ts";
import type { PartEnd } from "./receipts/receipt.ts";

/**
 * In their order. `submitting` lives in the queue. `unknown`: sent without a response from the operator. One that is
 * accepted is shown as `scheduled` until its time has come.
 */
export const MESSAGE_STATES = [
	"accepted",
	"submitting",
	"unknown",
	"submitted",
	"delivered",
	"failed",
	"canceled",
] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** What a message is shown as. */
export type ShownState = MessageState | "scheduled";

export const NEXT_MESSAGE_STATES: Record<
	MessageState,
	readonly MessageState[]
> = {
	accepted: [
		"submitting",
		"unknown",
		"submitted",
		"delivered",
		"failed",
		"canceled",
	],
	submitting: ["unknown", "submitted", "delivered", "failed"],
	unknown: ["submitted", "delivered", "failed"],
	submitted: ["delivered", "failed"],
	delivered: [],
	failed: [],
	canceled: [],
};

/** What a `where` clause must name before `next` is set. */
export function statesBefore(next: MessageState): MessageState[] {
	return MESSAGE_STATES.filter((state) =>
		NEXT_MESSAGE_STATES[state].includes(next),
	);
}

export interface MessageProgress {
	readonly messageId: string;
	readonly partCount: number;
	readonly delivered: number;
	readonly failed: number;
}

export interface DecidedMessage {
	readonly id: string;
	readonly status: "delivered" | "failed";
	readonly reason: MessageFailureReason | null;
	readonly receiptError?: string;
}

export function singleMessageEnd(end: PartEnd): DecidedMessage {
	const { messageId: id, state: status, operatorError: receiptError } = end;
	return { id, status, reason: endReason(end), receiptError };
}

/** A message of several parts fails as soon as one of them has, and is delivered when all are; undefined while open. */
export function longMessageEnd(
	progress: MessageProgress,
	ends: readonly PartEnd[],
): DecidedMessage | undefined {
	const { messageId: id, partCount, delivered, failed } = progress;
	if (failed > 0) {
		const end = ends.find(
			(one) => one.messageId === id && one.state === "failed",
		);
		return { id, status: "failed", reason: end?.reason ?? "undeliverable" };
	}
	if (delivered < partCount) return undefined;
	return { id, status: "delivered", reason: null };
}

function endReason({ state, reason }: PartEnd) {
	return state === "failed" ? (reason ?? "undeliverable") : null;
}
