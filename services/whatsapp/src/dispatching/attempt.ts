import type { Attempt } from "../domain/progress.ts";
import type { ClaimedRow, Fence } from "../store/dispatch.ts";

/** A claimed message under the token of its claim. */
export interface HeldMessage extends ClaimedRow {
	readonly token: string;
}

/** A finished attempt, to be recorded if its fence still holds. */
export interface SettledAttempt extends Fence, Attempt {
	readonly phoneNumberId: string;
	/** E.164 with "+". */
	readonly recipient: string;
	/** The number's access token as the attempt found it. */
	readonly sealedToken: Buffer;
}
