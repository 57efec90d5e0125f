import { type Db, transaction } from "@airtower/platform/database/database";
import { releaseUnbegun } from "../store/claims.ts";
import { forgetAttempts } from "../store/message-changes.ts";
import type { Dispatcher } from "./dispatcher.ts";

/**
 * Puts back into the queue what could not be marked as submitting: the mark may have been stored all the
 * same, and nothing was sent. What others have taken over is left to them. Not while messages are dispatched.
 */
export async function giveBackUnbegun(
	sql: Db,
	dispatcher: Dispatcher,
): Promise<void> {
	const { beginning } = dispatcher;
	if (beginning.length === 0) return;
	await transaction(sql, async (sql) => {
		await forgetAttempts(sql, await releaseUnbegun(sql, beginning));
	});
	dispatcher.beginning = [];
}
