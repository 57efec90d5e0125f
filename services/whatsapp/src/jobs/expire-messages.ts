import { type Tx, transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import type { FailureCode } from "../domain/failure.ts";
import { toFailed } from "../domain/progress.ts";
import { type Outcome, recordProgress } from "../record-progress.ts";
import { deleteUnclaimed, findOverdue } from "../store/dispatch/dispatch.ts";
import {
	findOverdueUnknown,
	type LockedMessage,
	lockMessages,
} from "../store/message-changes.ts";

const BATCH = 500;

/** Ends messages that could not be sent in time, and unknown ones of which no status came; returns how many. */
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
	const unsent = await deleteUnclaimed(sql, ids);
	return fail(
		sql,
		messages.filter(({ id }) => unsent.has(id)),
		"expired",
	);
}

async function failUnknown(sql: Tx): Promise<Outcome[]> {
	const ids = await findOverdueUnknown(sql, BATCH);
	const messages = await lockMessages(sql, ids);
	const overdue = messages.filter(({ status }) => status === "unknown");
	return fail(sql, overdue, "operator_error");
}

function fail(
	sql: Tx,
	messages: readonly LockedMessage[],
	code: FailureCode,
): Promise<Outcome[]> {
	return recordProgress(sql, messages, (before) =>
		toFailed(before, code, before.lockedAt),
	);
}
