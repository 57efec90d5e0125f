/** Of an outbound message; `unknown` was sent and had no response. */
export type MessageState =
	| "accepted"
	| "unknown"
	| "sent"
	| "delivered"
	| "read"
	| "failed";

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
