export const SENDER_ID_STATES = [
	"pending",
	"approved",
	"rejected",
	"suspended",
] as const;

export type SenderIdState = (typeof SENDER_ID_STATES)[number];

export const NEXT_SENDER_ID_STATES: Record<
	SenderIdState,
	readonly SenderIdState[]
> = {
	pending: ["approved", "rejected"],
	approved: ["suspended"],
	rejected: ["pending"],
	suspended: ["approved"],
};

/** Whether messages of a sender in this state may have been sent, or may be. */
export function mayHaveSent(state: SenderIdState): boolean {
	return state === "approved" || state === "suspended";
}
