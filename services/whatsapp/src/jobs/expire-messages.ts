import { type Tx, transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import type { FailureCode } from "../domain/failure.ts";
import { toFailed } from "../domain/progress.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import { deleteUnheld, findOverdue } from "../store/dispatch.ts";
import {
	findOverdueUnknown,
	type LockedMessage,
	lockMessages,
} from "../store/message-changes.ts";

/** Messages of one round, of each kind. */
const BATCH = 500;

/**
 * Ends messages whose time is over: `expired` those that could not be sent, for a stopped number say, and
 * `operator_error` those that were sent and of which no word came. Returns how many.
 */
export async function expireMessages(ctx: Context): Promise<number> {
	const outcomes = [
		...(await transaction(ctx.sql, failUnsent)),
		...(await transaction(ctx.sql, failUnknown)),
	];
	for (const status of outcomes) ctx.telemetry.outcomes.inc({ status });
	if (outcomes.length > 0) ctx.wakeRelay();
	return outcomes.length;
}

async function failUnsent(sql: Tx): Promise<Outcome[]> {
	const messages = await lockMessages(sql, await findOverdue(sql, BATCH));
	const ids = messages.map(({ id }) => id);
	const unsent = new Set(await deleteUnheld(sql, ids));
	const overdue = messages.filter(({ id }) => unsent.has(id));
	return fail(sql, overdue, "expired");
}

async function failUnknown(sql: Tx): Promise<Outcome[]> {
	const ids = await findOverdueUnknown(sql, BATCH);
	const messages = await lockMessages(sql, ids);
	const overdue = messages.filter(({ status }) => status === "unknown");
	return fail(sql, overdue, "operator_error");
}

async function fail(
	sql: Tx,
	messages: readonly LockedMessage[],
	code: FailureCode,
): Promise<Outcome[]> {
	return recordProgress(
		sql,
		messages.map((before) => ({
			before,
			after: toFailed(before, code, before.lockedAt),
		})),
	);
}
