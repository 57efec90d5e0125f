import { type Tx, transaction } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { DeliveryContext } from "../context.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import { noteLateReceipts, takeLateReceipts } from "../store/late-receipts.ts";
import {
	type FinishedMessage,
	finishMessages,
} from "../store/message-updates.ts";
import { claimScan, updateScan } from "../store/scans.ts";
import { findSubmitted } from "../store/submitted-messages.ts";

const SCAN = "no_receipt";
const BATCH_SIZE = 2_000;

/**
 * Fails messages whose receipt is not waited for any more; looks at each message once, and once more at one that was
 * scheduled for a time after that.
 */
export async function endWithoutReceipt(ctx: DeliveryContext): Promise<number> {
	let isMore = false;
	for (const step of [scanOn, endLate]) {
		const done = await transaction(ctx.sql, (sql) => step(ctx, sql));
		ctx.onFinished(done.finished);
		isMore ||= done.isMore;
	}
	return isMore ? BATCH_SIZE : 0;
}

interface Step {
	readonly isMore: boolean;
	readonly finished: readonly FinishedMessage[];
}

async function scanOn(ctx: DeliveryContext, sql: Tx): Promise<Step> {
	const { limits } = ctx;
	const scan = await claimScan(sql, SCAN);
	if (scan === undefined) return { isMore: false, finished: [] };
	const ageMs = limits.validityMs + limits.noReceiptMs;
	const before = firstIdAt(new Date(scan.now.getTime() - ageMs));
	const range = { after: scan.upto, before };
	const passed = await findSubmitted(sql, range, BATCH_SIZE);
	if (passed.last === null) return { isMore: false, finished: [] };
	const finished = await end(ctx, sql, passed.submitted);
	await noteLateReceipts(sql, passed.scheduled, ageMs);
	await updateScan(sql, SCAN, passed.last);
	return { isMore: true, finished };
}

async function endLate(ctx: DeliveryContext, sql: Tx): Promise<Step> {
	const { taken, submitted } = await takeLateReceipts(sql, BATCH_SIZE);
	return { isMore: taken > 0, finished: await end(ctx, sql, submitted) };
}

async function end(
	{ routes }: DeliveryContext,
	sql: Tx,
	ids: readonly string[],
) {
	const finished = await finishMessages(
		sql,
		ids.map((id) => ({ id, status: "failed", reason: "no_receipt" })),
	);
	await publishOutcomes(sql, finished, routes);
	return finished;
}
