import { type Tx, transaction } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../delivery-context.ts";
import { orphanSubmitting, requeueClaimed } from "../store/claims.ts";
import {
	deleteDispatcher,
	deleteExpiredDispatchers,
} from "../store/dispatchers.ts";
import { markUnknown } from "../store/message-changes.ts";

/** Takes over from dispatchers whose lease ran out; answers how many messages. */
export async function rescueDispatch(ctx: DeliveryContext): Promise<number> {
	const own = ctx.lease.token();
	return transaction(ctx.sql, async (sql) =>
		takeOver(ctx, sql, await deleteExpiredDispatchers(sql, own)),
	);
}

/** Ends this process's own lease; what it could not finish is left to the others. */
export async function endLease(ctx: DeliveryContext): Promise<void> {
	const own = ctx.lease.token();
	await transaction(ctx.sql, async (sql) => {
		await deleteDispatcher(sql, own);
		await takeOver(ctx, sql, [own]);
	});
}

/**
 * Frees claimed messages, for they were never sent; those that were being submitted are unknown.
 * The lease must be deleted first, in the same transaction: whoever claims holds it until its commit.
 */
async function takeOver(
	ctx: DeliveryContext,
	sql: Tx,
	tokens: readonly string[],
): Promise<number> {
	if (tokens.length === 0) return 0;
	const { unknownPolicy, unknownWaitMs } = ctx.limits;
	const waitMs = unknownPolicy === "resend_once" ? unknownWaitMs : null;
	const requeued = await requeueClaimed(sql, tokens);
	const orphaned = await orphanSubmitting(sql, tokens, waitMs);
	if (orphaned.length > 0) await markUnknown(sql, orphaned);
	ctx.telemetry.countRescued("claimed", requeued);
	ctx.telemetry.countRescued("submitting", orphaned.length);
	if (requeued + orphaned.length > 0)
		ctx.log.warn(
			{ requeued, unknown: orphaned.length },
			"took over from dispatchers that are gone",
		);
	return requeued + orphaned.length;
}
