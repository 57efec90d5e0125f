/**
 * States of a message, in their order. `submitting` covers every attempt and the waits between them; it lives in the
 * queue, while the message is stored as `accepted`. `unknown` means sent without a response from the operator.
 */
export const MESSAGE_STATES = [
	"accepted",
	"submitting",
	"unknown",
	"submitted",
	"delivered",
	"failed",
] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

/** Where each state may lead. A message never returns to an earlier state. */
export const NEXT_MESSAGE_STATES: Record<
	MessageState,
	readonly MessageState[]
> = {
	accepted: ["submitting", "unknown", "submitted", "delivered", "failed"],
	submitting: ["unknown", "submitted", "delivered", "failed"],
	unknown: ["submitted", "delivered", "failed"],
	submitted: ["delivered", "failed"],
	delivered: [],
	failed: [],
};

/** The states from which `next` may be reached: what a `where` clause must name before it is set. */
export function statesBefore(next: MessageState): MessageState[] {
	return MESSAGE_STATES.filter((state) =>
		NEXT_MESSAGE_STATES[state].includes(next),
	);
}
