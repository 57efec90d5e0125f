import { type Tx, transaction } from "@airtower/platform/database/database";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import { advanceScan } from "@airtower/platform/work/resumable-scan";
import type { DeliveryContext } from "../context.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import {
	type FinishedMessage,
	finishMessages,
} from "../store/message-updates.ts";
import {
	findSubmitted,
	noteLateReceipts,
	takeLateReceipts,
} from "../store/without-receipt.ts";

const BATCH_SIZE = 2_000;

/**
 * Fails messages whose receipt is not waited for any more; looks at each message once, and once more at one that was
 * scheduled for a time after that.
 */
export async function endWithoutReceipt(ctx: DeliveryContext): Promise<number> {
	const isMore = [await endNext(ctx), await endLate(ctx)].includes(true);
	return isMore ? BATCH_SIZE : 0;
}

async function endNext(ctx: DeliveryContext): Promise<boolean> {
	const { sql, limits } = ctx;
	const ageMs = limits.validityMs + limits.noReceiptMs;
	const step = await advanceScan(sql, {
		name: "no_receipt",
		findPage: (after) =>
			findSubmitted(sql, after || LOWEST_ID, ageMs, BATCH_SIZE),
		work: async (sql, { submitted, scheduled }) => {
			await noteLateReceipts(sql, scheduled, ageMs);
			return end(ctx, sql, submitted);
		},
	});
	if (step === undefined) return false;
	ctx.onFinished(step.done);
	return true;
}

async function endLate(ctx: DeliveryContext): Promise<boolean> {
	const { taken, finished } = await transaction(ctx.sql, async (sql) => {
		const { taken, submitted } = await takeLateReceipts(sql, BATCH_SIZE);
		return { taken, finished: await end(ctx, sql, submitted) };
	});
	ctx.onFinished(finished);
	return taken > 0;
}

async function end(
	{ routes }: DeliveryContext,
	sql: Tx,
	ids: readonly string[],
): Promise<FinishedMessage[]> {
	const finished = await finishMessages(
		sql,
		ids.map((id) => ({ id, status: "failed", reason: "no_receipt" })),
	);
	await publishOutcomes(sql, finished, routes);
	return finished;
}
