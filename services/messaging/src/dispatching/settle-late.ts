import type { DeliveryContext } from "../delivery-context.ts";
import { decideAttempt } from "../domain/attempt-outcome.ts";
import type { PartResult, SubmitResult } from "../domain/submit-result.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { settle, toHistory } from "./settle-attempt.ts";

/** Responses that come after all decide, unless the message has been claimed again meanwhile. */
export async function settleLate(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	{ total, parts }: SubmitResult,
): Promise<void> {
	const late = await Promise.all(parts.map(lateResult));
	if (late.every((part, place) => part === parts[place])) return;
	const result = { total, parts: late };
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	await settle(ctx, dispatcher, message, outcome, result).catch(
		(err: unknown) => {
			const { messageId } = message;
			ctx.log.warn({ err, messageId }, "a late response was not recorded");
		},
	);
}

async function lateResult(result: PartResult): Promise<PartResult> {
	if (result.kind !== "unknown") return result;
	const late = await result.late;
	return late === undefined ? result : { part: result.part, ...late };
}
