import type { AttemptOutcome } from "./attempt-outcome.ts";
import type { FailureCode } from "./failure.ts";
import { mayFollow } from "./message-state.ts";
import type { Progress } from "./progress.ts";

export interface Attempt {
	readonly outcome: AttemptOutcome;
	readonly providerError: string | undefined;
	/** True when it reached the provider, or may have. */
	readonly wasWritten: boolean;
}

/** A message after an attempt that ended `now`; where the provider has told more in the meantime, that stays. */
export function applyAttempt<P extends Progress>(
	before: P,
	{ outcome, providerError, wasWritten }: Attempt,
	now: Date,
	unknownWaitMs: number,
): P {
	const after = {
		...before,
		attempts: before.attempts + (wasWritten ? 1 : 0),
		providerError: providerError ?? before.providerError,
	};
	const { kind } = outcome;
	if (kind === "failed") return toFailed(after, outcome.failure, now);
	if (kind !== "sent" && kind !== "unknown") return after;
	if (!mayFollow(before.status, kind)) return after;
	if (kind === "unknown")
		return {
			...after,
			status: kind,
			unknownUntil: new Date(now.getTime() + unknownWaitMs),
		};
	const { providerMessageId } = outcome;
	return { ...after, status: kind, providerMessageId, sentAt: now };
}

/** A message that fails at `at`, unless it has ended before. */
export function toFailed<P extends Progress>(
	before: P,
	errorCode: FailureCode,
	at: Date,
): P {
	return mayFollow(before.status, "failed")
		? { ...before, status: "failed", errorCode, finishedAt: at }
		: before;
}
