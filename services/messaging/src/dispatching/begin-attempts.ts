import { type Db, retryConflicts } from "@airtower/platform/database";
import { markSubmitting } from "../store/claims.ts";
import { claimKey } from "../store/dispatch.ts";
import type { ReadyMessage } from "./dispatcher.ts";

/**
 * Marks messages as submitting: from here on a crash leaves them unknown. Answers those that this
 * process still holds, none twice.
 */
export async function beginAttempts(
	sql: Db,
	messages: readonly ReadyMessage[],
): Promise<ReadyMessage[]> {
	const begun = await retryConflicts(() => markSubmitting(sql, messages));
	const held = new Set(begun.map(claimKey));
	return messages.filter((message) => held.delete(claimKey(message)));
}
