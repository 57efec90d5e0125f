/** How long a user's message keeps the service window open, ms. */
export const WINDOW_MS = 24 * 3_600_000;

export type ConversationStatus = "open" | "closed";

/** The window is open up to its end and not at it; without a message of the user there is none. */
export function windowStatus(
	expiresAt: Date | null | undefined,
	now: Date,
): ConversationStatus {
	return expiresAt != null && expiresAt.getTime() > now.getTime()
		? "open"
		: "closed";
}
