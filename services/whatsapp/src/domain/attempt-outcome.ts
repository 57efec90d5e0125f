import {
	JITTER,
	type RetryLimits,
	retryDelay,
	withJitter,
} from "@airtower/platform/runtime/retry-delay";
import type { FailureCode } from "./failure.ts";
import {
	isTemplateError,
	judgeError,
	MARKETING_STOPPED,
	type ProviderError,
} from "./provider-error.ts";

/** What became of a submit to the provider. */
export type SubmitResult =
	| {
			readonly kind: "taken";
			readonly providerMessageId: string;
			/** The provider's name for the recipient. */
			readonly waId: string | undefined;
	  }
	| {
			readonly kind: "refused";
			readonly code: number | undefined;
			readonly subcode?: number | undefined;
			readonly httpStatus: number;
			readonly isTransient: boolean;
			readonly text: string;
	  }
	/** Nothing was written: it may go again. */
	| { readonly kind: "unsent"; readonly text: string }
	/** Written, and no response that can be read: it must never go again. */
	| { readonly kind: "unknown"; readonly text: string };

/** What an attempt means for its message. */
export type AttemptOutcome =
	| {
			readonly kind: "sent";
			readonly providerMessageId: string;
			readonly waId: string | undefined;
	  }
	| {
			readonly kind: "failed";
			readonly failure: FailureCode;
			/** The user has stopped marketing messages of the number. */
			readonly isMarketingStopped?: boolean;
			/** The template is not what we know of it. */
			readonly isTemplateRefused?: boolean;
	  }
	| { readonly kind: "unknown" }
	| {
			readonly kind: "postponed";
			readonly delayMs: number;
			readonly refusals: number;
			/** Who else waits: all of the number for a pause of its own, all for the recipient as long as this message. */
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
				reason: `provider error ${nameOf(result)}`,
			};
		default:
			return {
				...verdict,
				...(result.code === MARKETING_STOPPED && { isMarketingStopped: true }),
				...(isTemplateError(result.code) && { isTemplateRefused: true }),
			};
	}
}

function nameOf({ code, subcode, httpStatus }: ProviderError): string {
	if (code === undefined) return `HTTP ${httpStatus}`;
	return subcode === undefined ? `${code}` : `${code}, subcode ${subcode}`;
}

const RETRY: RetryLimits = { firstMs: 1_000, longestMs: 600_000 };
const PACED: RetryLimits = { firstMs: 6_000, longestMs: 600_000 };

/**
 * Pause before a message that was refused for now goes again: 1 s doubling to 10 min, +-20 %.
 * @param refusals temporary refusals so far, from 1
 * @param random within [0, 1)
 */
export function retryDelayMs(refusals: number, random: number): number {
	return withJitter(retryDelay(refusals, RETRY), random);
}

/** Pause of a recipient that got too many: 6 s doubling to 10 min, up to 40 % more, never less. */
export function recipientPauseMs(refusals: number, random: number): number {
	const pause = retryDelay(refusals, PACED);
	return Math.round(pause * (1 + 2 * JITTER * random));
}
