import type { Behaviour } from "../behaviour.ts";
import type { SmscSettings } from "../settings.ts";
import type { SubmitRequest } from "../submit-request.ts";
import type { PendingReceipt } from "./receipt.ts";

interface TakenPart {
	readonly systemId: string;
	readonly number: bigint;
	readonly request: SubmitRequest;
	readonly behaviour: Behaviour;
}

/** The receipts of a part that was taken now; none when the client asked for none. */
export function orderedReceipts(
	{ systemId, number, request, behaviour }: TakenPart,
	settings: SmscSettings,
): PendingReceipt[] {
	if ((request.registeredDelivery & 1) === 0) return [];
	const { stat, err, receipts, receiptDelayMs: fixedMs } = behaviour;
	const { receiptDelayMs: ordinaryMs, timeFactor } = settings;
	const delayMs = fixedMs === undefined ? ordinaryMs : fixedMs * timeFactor;
	const submittedAt = Date.now();
	return Array.from({ length: receipts }, (_, nth) => ({
		systemId,
		number,
		stat,
		err,
		submittedAt,
		key: `${number}/${submittedAt}/${nth + 1}`,
		recipient: request.destination,
		sender: request.source,
		doneAt: submittedAt + delayMs,
	}));
}
