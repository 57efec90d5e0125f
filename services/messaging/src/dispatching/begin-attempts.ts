import { type Db, retryConflicts } from "@airtower/platform/database/database";
import { type BegunClaim, markSubmitting } from "../store/claims.ts";
import { claimKey } from "../store/dispatch.ts";
import type { ReadyMessage } from "./dispatcher.ts";

/** A message that this process may submit now. */
export type BegunMessage = ReadyMessage & Pick<BegunClaim, "expired">;

/**
 * Marks messages as submitting: from here on a crash leaves them unknown. Answers those that this
 * process still holds, none twice.
 */
export async function beginAttempts(
	sql: Db,
	messages: readonly ReadyMessage[],
): Promise<BegunMessage[]> {
	const begun = await retryConflicts(() => markSubmitting(sql, messages));
	const expiredOf = new Map(begun.map((one) => [claimKey(one), one.expired]));
	return messages.flatMap((message) => {
		const key = claimKey(message);
		const expired = expiredOf.get(key);
		expiredOf.delete(key);
		return expired === undefined ? [] : [{ ...message, expired }];
	});
}
