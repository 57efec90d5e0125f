import type { Tx } from "@airtower/platform/database/database";
import { requeue } from "@airtower/platform/work/put-back";
import type { Context } from "../context.ts";
import { applyAttempt } from "../domain/progress.ts";
import { recordProgress } from "../record-progress.ts";
import {
	deleteClaimed,
	dispatchQueue,
	findSubmitting,
} from "../store/dispatch/dispatch.ts";
import { lockMessages } from "../store/message-changes.ts";

const NO_RESPONSE = {
	outcome: { kind: "unknown" },
	providerError: undefined,
	wasWritten: true,
} as const;

/** Under void tokens what was being submitted is unknown and never goes again, the rest goes; returns how many. */
export async function takeOver(
	{ limits, telemetry, log }: Context,
	sql: Tx,
	tokens: readonly string[],
): Promise<number> {
	const submitting = await findSubmitting(sql, tokens);
	const messages = await lockMessages(sql, submitting);
	// A settle that came first may have put a message back, which then waits and is no longer ours.
	const orphaned = await deleteClaimed(sql, submitting, tokens);
	await recordProgress(
		sql,
		messages.filter(({ id }) => orphaned.has(id)),
		(before) =>
			applyAttempt(before, NO_RESPONSE, before.lockedAt, limits.unknownWaitMs),
	);
	const requeued = await requeue(sql, dispatchQueue, tokens);
	telemetry.rescued.inc({ from: "claimed" }, requeued);
	telemetry.rescued.inc({ from: "submitting" }, orphaned.size);
	if (requeued + orphaned.size > 0)
		log.warn(
			{ requeued, unknown: orphaned.size },
			"took over from processes that are gone",
		);
	return requeued + orphaned.size;
}
