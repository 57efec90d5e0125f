import { type Tx, transaction } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { DeliveryContext } from "../context.ts";
import { publishOutcomes } from "../publish-outcomes.ts";
import {
	type FinishedMessage,
	finishMessages,
} from "../store/message-updates.ts";
import { claimScan, updateScan } from "../store/scans.ts";
import { findSubmitted } from "../store/submitted-messages.ts";

const SCAN = "no_receipt";
const BATCH_SIZE = 2_000;

/** Fails messages whose receipt is not waited for any more; looks at each message once. */
export async function endWithoutReceipt(ctx: DeliveryContext): Promise<number> {
	const { isMore, finished } = await transaction(ctx.sql, (sql) =>
		scanOn(ctx, sql),
	);
	ctx.onFinished(finished);
	return isMore ? BATCH_SIZE : 0;
}

async function scanOn(
	{ limits }: DeliveryContext,
	sql: Tx,
): Promise<{ isMore: boolean; finished: readonly FinishedMessage[] }> {
	const scan = await claimScan(sql, SCAN);
	if (scan === undefined) return { isMore: false, finished: [] };
	const ageMs = limits.validityMs + limits.noReceiptMs;
	const before = firstIdAt(new Date(scan.now.getTime() - ageMs));
	const range = { after: scan.upto, before };
	const { last, submitted } = await findSubmitted(sql, range, BATCH_SIZE);
	if (last === null) return { isMore: false, finished: [] };
	const finished = await finishMessages(
		sql,
		submitted.map((id) => ({ id, status: "failed", reason: "no_receipt" })),
	);
	await publishOutcomes(sql, finished);
	await updateScan(sql, SCAN, last);
	return { isMore: true, finished };
}
