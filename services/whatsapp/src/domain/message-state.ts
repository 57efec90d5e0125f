/**
 * States of an outbound message, in the order in which it may pass them. `submitting` covers every
 * attempt and the pauses between them; `unknown` means sent without an answer from the provider.
 * Inbound messages are `received`, for good.
 */
export const MESSAGE_STATES = [
	"accepted",
	"submitting",
	"unknown",
	"sent",
	"delivered",
	"read",
	"failed",
] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** Where each state may lead. A message never returns to an earlier state. */
export const NEXT_MESSAGE_STATES: Record<
	MessageState,
	readonly MessageState[]
> = {
	accepted: ["submitting", "failed"],
	submitting: ["unknown", "sent", "delivered", "read", "failed"],
	unknown: ["sent", "delivered", "read", "failed"],
	sent: ["delivered", "read", "failed"],
	delivered: ["read"],
	read: [],
	failed: [],
};

/** The states from which `next` may be reached: what a `where` clause must name before it is set. */
export function statesBefore(next: MessageState): MessageState[] {
	return MESSAGE_STATES.filter((state) =>
		NEXT_MESSAGE_STATES[state].includes(next),
	);
}

export function mayFollow(state: MessageState, next: MessageState): boolean {
	return NEXT_MESSAGE_STATES[state].includes(next);
}
