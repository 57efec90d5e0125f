/** In their order. `submitting` lives in the queue. `unknown`: sent without a response from the operator. */
export const MESSAGE_STATES = [
	"accepted",
	"submitting",
	"unknown",
	"submitted",
	"delivered",
	"failed",
] as const;

export type MessageState = (typeof MESSAGE_STATES)[number];

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

/** What a `where` clause must name before `next` is set. */
export function statesBefore(next: MessageState): MessageState[] {
	return MESSAGE_STATES.filter((state) =>
		NEXT_MESSAGE_STATES[state].includes(next),
	);
}
