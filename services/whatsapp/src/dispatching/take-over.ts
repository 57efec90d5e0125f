import type { Tx } from "@airtower/platform/database/database";
import { endLease } from "@airtower/platform/work/lease";
import { requeue } from "@airtower/platform/work/leased-queue";
import type { Context } from "../context.ts";
import { applyAttempt } from "../domain/progress.ts";
import { recordProgress } from "../record-progress.ts";
import {
	deleteUnheld,
	dispatchQueue,
	findSubmitting,
} from "../store/dispatch.ts";
import { lockMessages } from "../store/message-changes.ts";

/** What is known of an attempt whose process is gone. */
const NO_RESPONSE = {
	outcome: { kind: "unknown" },
	providerError: undefined,
	wasWritten: true,
} as const;

/** Ends the lease of a process that stops. */
export function giveUpLease(ctx: Context): Promise<void> {
	return endLease(ctx.sql, ctx.dispatcher.lease, (sql, tokens) =>
		takeOver(ctx, sql, tokens),
	);
}

/**
 * Decides on the messages under tokens that are void: what was being submitted is unknown and never goes again, the
 * rest goes as if it had not been claimed. Returns how many messages.
 */
export async function takeOver(
	{ limits, telemetry, log }: Context,
	sql: Tx,
	tokens: readonly string[],
): Promise<number> {
	const submitting = await findSubmitting(sql, tokens);
	const messages = await lockMessages(sql, submitting);
	const orphaned = new Set(await deleteUnheld(sql, submitting, tokens));
	const changes = messages
		.filter(({ id }) => orphaned.has(id))
		.map((before) => ({
			before,
			after: applyAttempt(
				before,
				NO_RESPONSE,
				before.lockedAt,
				limits.unknownWaitMs,
			),
		}));
	await recordProgress(sql, changes);
	const requeued = await requeue(sql, dispatchQueue, tokens);
	telemetry.rescued.inc({ from: "claimed" }, requeued);
	telemetry.rescued.inc({ from: "submitting" }, orphaned.size);
	if (requeued + orphaned.size > 0)
		log.warn({ requeued, unknown: orphaned.size }, "took over expired leases");
	return requeued + orphaned.size;
}
