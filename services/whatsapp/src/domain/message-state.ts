/**
 * States of an outbound message, in the order in which it may pass them. While an `accepted` message is in the queue
 * and was claimed before, it is shown as `submitting`; `unknown` means sent without a response of the provider.
 * Inbound messages are `received`, for good.
 */
export const MESSAGE_STATES = [
	"accepted",
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
	accepted: ["unknown", "sent", "delivered", "read", "failed"],
	unknown: ["sent", "delivered", "read", "failed"],
	sent: ["delivered", "read", "failed"],
	delivered: ["read"],
	read: [],
	failed: [],
};

export function mayFollow(state: MessageState, next: MessageState): boolean {
	return NEXT_MESSAGE_STATES[state].includes(next);
}
