import type { DeliveryContext } from "../delivery-context.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";

/** Why parts of an attempt were not written, or have no response. */
export function logUnsubmitted(
	{ log }: DeliveryContext,
	{ messageId, attempt }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
	for (const { part, ...outcome } of parts) {
		if (outcome.kind !== "unsent" && outcome.kind !== "unknown") continue;
		const { kind, why } = outcome;
		log.debug({ messageId, attempt, part, kind, why }, "no response to a part");
	}
}
