import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import type { ReceiptDoctorService } from "@airtower/proto/messaging/v1/receipt_doctor";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../../context.ts";
import type { ReceiptBatch } from "../../store/receipts/parked-receipts.ts";
import type { Handler } from "../handler.ts";
import type { Account } from "./accounts.ts";
import { type ApplyCursor, writeCursor } from "./apply-cursor.ts";

/** One call of ApplyDiagnosis. */
export interface ApplyStep {
	readonly ctx: Context;
	readonly context: HandlerContext;
	readonly proposal: string;
	readonly cursor: ApplyCursor;
}

export type StepResult = Awaited<
	ReturnType<Handler<typeof ReceiptDoctorService.method.applyDiagnosis>>
>;

/** Receipts and parts of a step. */
export const STEP = { receipts: 1_000, parts: 20_000 } as const;

/** Records what a step has changed, if anything, in its transaction. */
export async function recordStep(
	sql: Tx,
	{ context, proposal }: ApplyStep,
	{ account }: Account,
	changed: Readonly<Record<string, number>>,
): Promise<void> {
	const count = Object.values(changed).reduce((sum, one) => sum + one, 0);
	if (count === 0) recordNothing(context);
	else
		await recordAct(sql, context, {
			subject: account,
			after: { proposal, ...changed },
		});
}

/** Where the step after a batch begins: at the first receipt that others held, else after the last. */
export function cursorAfter({ passedOver, lastId }: ReceiptBatch): string {
	const [held] = passedOver;
	const after = held === undefined ? lastId : held - 1;
	return after === undefined ? "" : writeCursor({ at: "receipts", after });
}
