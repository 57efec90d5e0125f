import { type Db, transaction } from "@airtower/platform/database";
import { joinByIndex } from "../store/batch-plan.ts";
import { markDispatchSubmitting } from "../store/claims.ts";
import { markSubmitting } from "../store/message-changes.ts";
import type { ReadyMessage } from "./dispatcher.ts";

/**
 * Marks messages as submitting: from here on a crash leaves them unknown. Answers those that this
 * process still holds, each with the number of its new attempt.
 */
export async function beginAttempts(
	sql: Db,
	messages: readonly ReadyMessage[],
): Promise<ReadyMessage[]> {
	return transaction(sql, async (sql) => {
		await joinByIndex(sql);
		const held = new Set(await markDispatchSubmitting(sql, messages));
		const begun = messages
			.filter((message) => held.has(message.messageId))
			.map((message) => ({ ...message, attempt: message.attempt + 1 }));
		if (begun.length === 0) return [];
		await markSubmitting(
			sql,
			begun.map(({ messageId: id, resent }) => ({ id, resent })),
		);
		return begun;
	});
}
