import { unknownTimes } from "../common-context.ts";
import type { DeliveryContext } from "../delivery-context.ts";
import type {
	AttemptHistory,
	AttemptOutcome,
} from "../domain/attempt-outcome.ts";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import type { Dispatcher } from "./dispatcher.ts";

export async function settle(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	outcome: AttemptOutcome,
	result?: SubmitResult,
): Promise<void> {
	const times = unknownTimes(ctx.limits);
	const isLast =
		message.resent || (outcome.kind === "unknown" && outcome.mustNotResend);
	await ctx.settler.add({
		message,
		operator: dispatcher.operator,
		outcome,
		result,
		unknownTimes: isLast ? { ...times, waitMs: null } : times,
	});
}

export function toHistory({
	takenParts,
	...history
}: ClaimedMessage): AttemptHistory {
	return { ...history, takenParts: takenParts ?? [] };
}
