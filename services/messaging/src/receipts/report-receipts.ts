import type { Logger } from "@airtower/platform/runtime/log";
import type { Receipt } from "../domain/receipts/receipt.ts";
import type {
	NumberedReceipt,
	ReceiptEffects,
} from "../domain/receipts/receipt-effects.ts";
import type { FinishedMessage } from "../store/finished-messages.ts";
import type { Telemetry } from "../telemetry.ts";

export interface ReceiptReporter {
	readonly log: Logger;
	readonly telemetry: Telemetry;
	readonly onFinished: (finished: readonly FinishedMessage[]) => void;
}

/** Tells what became of receipts, once that is committed. */
export function reportReceipts(
	{ log, telemetry, onFinished }: ReceiptReporter,
	receipts: readonly (NumberedReceipt &
		Pick<Receipt, "operatorAccount" | "operatorMessageId">)[],
	{ done, late, unmatched, others, ambiguous }: ReceiptEffects,
	finished: readonly FinishedMessage[],
): void {
	telemetry.receipts.inc({ result: "applied" }, done.length - late.length);
	telemetry.receipts.inc({ result: "late" }, late.length);
	telemetry.receipts.inc(
		{ result: "parked" },
		unmatched.length - others.length,
	);
	telemetry.receipts.inc({ result: "other_number" }, others.length);
	telemetry.receipts.inc({ result: "ambiguous" }, ambiguous.length);
	for (const { route, submittedAt, finishedAt } of finished)
		if (submittedAt !== null)
			telemetry.receiptDelay
				.labels(route)
				.observe(
					Math.max(0, finishedAt.getTime() - submittedAt.getTime()) / 1e3,
				);
	onFinished(finished);
	for (const { id, operatorAccount, operatorMessageId } of receipts)
		if (ambiguous.includes(id))
			log.error(
				{ operatorAccount, operatorMessageId },
				"a receipt names several messages; it is kept and not applied",
			);
}
