import type { FailureCode } from "./failure.ts";
import { judgeError } from "./provider-error.ts";
import { recipientPauseMs, retryDelayMs } from "./retry-delay.ts";
import type { SubmitResult } from "./submit-result.ts";

export type AttemptOutcome =
	| {
			readonly kind: "sent";
			readonly providerMessageId: string;
			readonly waId: string | undefined;
	  }
	| { readonly kind: "failed"; readonly failure: FailureCode }
	| { readonly kind: "unknown" }
	| {
			readonly kind: "postponed";
			readonly delayMs: number;
			readonly refusals: number;
			/** Who else waits as long. */
			readonly pauses: "number" | "recipient" | "nobody";
	  }
	/** The message waits until its number works again. */
	| { readonly kind: "number_stopped"; readonly reason: string };

/** An attempt without a response is unknown, and the message never goes again. */
export function decideAttempt(
	result: SubmitResult,
	refusalsBefore: number,
	random: number,
): AttemptOutcome {
	if (result.kind === "taken") {
		const { providerMessageId, waId } = result;
		return { kind: "sent", providerMessageId, waId };
	}
	if (result.kind === "unknown") return { kind: "unknown" };
	const refusals = refusalsBefore + 1;
	const delayMs = retryDelayMs(refusals, random);
	const postponed = { kind: "postponed", delayMs, refusals } as const;
	if (result.kind === "unsent") return { ...postponed, pauses: "nobody" };
	const verdict = judgeError(result);
	switch (verdict.kind) {
		case "retry":
			return { ...postponed, pauses: "nobody" };
		case "throttled":
			return { ...postponed, pauses: "number" };
		case "recipient_paced":
			return {
				...postponed,
				delayMs: recipientPauseMs(refusals, random),
				pauses: "recipient",
			};
		case "stop_number":
			return {
				kind: "number_stopped",
				reason: `provider error ${result.code ?? `HTTP ${result.httpStatus}`}`,
			};
		default:
			return verdict;
	}
}
