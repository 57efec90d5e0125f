import type { Attempt } from "../domain/progress.ts";
import type { ClaimedMessage } from "../store/claims.ts";

/** A finished attempt, to be recorded if its fence still holds. */
export type SettledAttempt = Attempt &
	Pick<
		ClaimedMessage,
		| "messageId"
		| "token"
		| "attempt"
		| "phoneNumberId"
		| "recipient"
		| "sealedToken"
	>;
