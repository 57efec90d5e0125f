import { fault } from "@airtower/platform/runtime/fault";
import { currentSpan, inSpan } from "@airtower/platform/tracing/spans";
import { startDispatchSpan } from "@airtower/platform/tracing/trace-message";
import type { DeliveryContext } from "../delivery-context.ts";
import {
	type AttemptOutcome,
	decideAttempt,
} from "../domain/attempt-outcome.ts";
import type { ClaimedMessage } from "../store/dispatch/dispatch-claims.ts";
import { countSubmits } from "./count-submits.ts";
import type { Dispatcher } from "./dispatcher.ts";
import { logUnsubmitted } from "./log-unsubmitted.ts";
import { toOutgoing } from "./outgoing-message.ts";
import { reportSessionRefusals } from "./report-session-refusals.ts";
import { settle, toHistory } from "./settle-attempt.ts";
import { settleLate } from "./settle-late.ts";

const EXPIRED = { kind: "failed", reason: "expired" } as const;

/**
 * The process may have stood still since the claim: lease and validity are looked at once more.
 * @param validUntil a time of `performance.now()`
 */
export function attemptMessage(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	validUntil: number,
): Promise<void> {
	const route = dispatcher.operator.code;
	const span = startDispatchSpan(message, { route });
	return span === undefined
		? attempt(ctx, dispatcher, message, validUntil)
		: inSpan(span, () => attempt(ctx, dispatcher, message, validUntil));
}

async function attempt(
	ctx: DeliveryContext,
	dispatcher: Dispatcher,
	message: ClaimedMessage,
	validUntil: number,
): Promise<void> {
	const validityMs = validUntil - performance.now();
	if (validityMs <= 0) return settle(ctx, dispatcher, message, EXPIRED);
	if (!ctx.lease.covers(message.token))
		return settle(ctx, dispatcher, message, backToQueue(message));
	const result = await dispatcher.operator.submit(
		toOutgoing(message, validityMs),
		() => ctx.lease.covers(message.token),
	);
	fault("messaging.after_submit");
	countSubmits(ctx.telemetry, dispatcher.operator, result);
	reportSessionRefusals(ctx, dispatcher, message, result);
	logUnsubmitted(ctx, message, result);
	const outcome = decideAttempt(result, toHistory(message), ctx.random());
	currentSpan()?.setAttribute("outcome", outcome.kind);
	await settle(ctx, dispatcher, message, outcome, result);
	if (outcome.kind === "unknown")
		void settleLate(ctx, dispatcher, message, result);
}

function backToQueue(message: ClaimedMessage): AttemptOutcome {
	const { refusals, unclear, sessionRefusals } = message;
	return {
		...{ kind: "postponed", delayMs: 0, countsAsAttempt: false },
		...{ refusals, unclear, sessionRefusals },
	};
}
