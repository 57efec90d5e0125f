import { type Db, retryConflicts } from "@airtower/platform/database";
import { markSubmitting } from "../store/claims.ts";
import type { ReadyMessage } from "./dispatcher.ts";

/**
 * Marks messages as submitting: from here on a crash leaves them unknown. Answers those that this
 * process still holds, each with the number of its new attempt.
 */
export async function beginAttempts(
	sql: Db,
	messages: readonly ReadyMessage[],
): Promise<ReadyMessage[]> {
	const held = new Set(
		await retryConflicts(() => markSubmitting(sql, messages)),
	);
	return messages
		.filter((message) => held.has(message.messageId))
		.map((message) => ({ ...message, attempt: message.attempt + 1 }));
}
