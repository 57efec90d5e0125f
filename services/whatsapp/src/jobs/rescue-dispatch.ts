import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import type { FailureCode } from "../domain/failure.ts";
import { applyAttempt, fail } from "../domain/progress.ts";
import { recordProgress } from "../record-progress.ts";
import {
	deleteOverdueQueued,
	deleteOverdueUnknown,
	orphanExpired,
	requeueExpired,
} from "../store/dispatch.ts";
import { lockMessages } from "../store/message-changes.ts";

/** Rows of one round. */
const BATCH = 500;

/** What is known of an attempt whose process is gone. */
const UNANSWERED = {
	outcome: { kind: "unknown" },
	providerError: undefined,
	wasWritten: true,
} as const;

/**
 * Takes over from processes that are gone: what they had claimed goes again, what they were
 * submitting is unknown. Then ends what has waited too long. Answers how many messages.
 */
export async function rescueDispatch(ctx: Context): Promise<number> {
	const taken = await takeOver(ctx);
	const unheard = await endOverdue(ctx, "operator_error");
	const unsent = await endOverdue(ctx, "expired");
	if (unheard + unsent > 0) ctx.wake.relay();
	return taken + unheard + unsent;
}

async function takeOver(ctx: Context): Promise<number> {
	const { unknownWaitMs } = ctx.limits;
	const [requeued, orphaned] = await transaction(ctx.sql, async (sql) => {
		const requeued = await requeueExpired(sql, BATCH);
		const ids = await orphanExpired(sql, BATCH, unknownWaitMs);
		const messages = await lockMessages(sql, ids);
		await recordProgress(
			sql,
			messages.map((before) => ({
				before,
				after: applyAttempt(before, UNANSWERED, before.lockedAt),
			})),
		);
		return [requeued, ids.length] as const;
	});
	ctx.telemetry.rescued.inc({ from: "claimed" }, requeued);
	ctx.telemetry.rescued.inc({ from: "submitting" }, orphaned);
	if (requeued + orphaned > 0)
		ctx.log.warn({ requeued, unknown: orphaned }, "took over expired leases");
	return requeued + orphaned;
}

/**
 * A message without any word within its time has failed: `operator_error` when it was submitted and
 * nobody knows, `expired` when it never could be.
 */
async function endOverdue(
	ctx: Context,
	code: Extract<FailureCode, "operator_error" | "expired">,
): Promise<number> {
	const take =
		code === "operator_error" ? deleteOverdueUnknown : deleteOverdueQueued;
	const outcomes = await transaction(ctx.sql, async (sql) => {
		const ids = await take(sql, BATCH);
		const messages = await lockMessages(sql, ids);
		return recordProgress(
			sql,
			messages.map((before) => ({
				before,
				after: fail(before, code, before.lockedAt),
			})),
		);
	});
	ctx.telemetry.outcomes.inc({ status: "failed" }, outcomes.length);
	return outcomes.length;
}
