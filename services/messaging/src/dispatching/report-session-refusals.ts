import type { DeliveryContext } from "../delivery-context.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type { Dispatcher } from "./dispatcher.ts";

/** A message can cost every connection in turn: who looks for the reason needs its id. */
export function reportSessionRefusals(
	{ log, telemetry }: DeliveryContext,
	{ operator }: Dispatcher,
	{ messageId }: ClaimedMessage,
	{ parts }: SubmitResult,
): void {
	const route = operator.code;
	for (const part of parts) {
		if (part.kind !== "session") continue;
		const status = part.operatorError;
		telemetry.sessionRefusals.inc({ route, status });
		log.warn(
			{ route, status, messageId },
			"the operator refused the session over a message",
		);
	}
}
