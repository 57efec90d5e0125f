import { transaction } from "@airtower/platform/database/database";
import { receiptKeys } from "../../domain/operator-message-id.ts";
import { judgeReceipt } from "../../domain/receipts/judge-receipt.ts";
import { readParked } from "../../domain/receipts/parked-receipt.ts";
import { parkedMatchLimits } from "../../receipts/receive-receipts.ts";
import {
	lockReceiptsAfter,
	type RekeyedReceipt,
	replayReceipts,
} from "../../store/receipts/parked-receipts.ts";
import type { Account } from "./accounts.ts";
import {
	type ApplyStep,
	cursorAfter,
	recordStep,
	STEP,
	type StepResult,
} from "./apply-step.ts";
import { partsByKey } from "./parts-by-key.ts";

/**
 * Gives receipts to the account of whose messages they are. Of each the number must be the recipient's, and no part of
 * its own account may be it: an id alone does not tell whose a receipt is.
 */
export async function moveReceipts(
	step: ApplyStep,
	own: Account,
	other: Account,
): Promise<StepResult> {
	const { ctx, cursor } = step;
	const after = cursor.at === "receipts" ? cursor.after : 0;
	const { firstId } = parkedMatchLimits(ctx);
	const { batch, moved } = await transaction(ctx.sql, async (sql) => {
		const batch = await lockReceiptsAfter(
			sql,
			own.account,
			after,
			STEP.receipts,
		);
		const asTheirs = batch.receipts.map((receipt) => ({
			...receipt,
			account: other.account,
			theirKeys: receiptKeys(readParked(receipt), other.scheme),
		}));
		const ofOwn = await partsByKey(
			sql,
			own.account,
			asTheirs.map(({ matchKeys }) => matchKeys),
			firstId,
		);
		const ofOther = await partsByKey(
			sql,
			other.account,
			asTheirs.map(({ theirKeys }) => theirKeys),
			firstId,
		);
		const theirs: RekeyedReceipt[] = asTheirs
			.filter((one) => {
				const own = judgeReceipt(one, one.matchKeys, ofOwn);
				const their = judgeReceipt(one, one.theirKeys, ofOther);
				return own.kind !== "matched" && their.kind === "matched";
			})
			.map(({ id, account, theirKeys }) => ({
				id,
				account,
				matchKeys: theirKeys,
			}));
		const moved = await replayReceipts(sql, theirs);
		await recordStep(sql, step, own, { receipts: moved });
		return { batch, moved };
	});
	return { receiptsReplayed: BigInt(moved), cursor: cursorAfter(batch) };
}
