import type { PartOutcome, SubmitResult } from "../../domain/submit-result.ts";
import type { Reading } from "./http-response.ts";

/** Of each message, by what the response says of it or of each of its segments. */
export function toResults(
	byMessage: readonly (readonly Reading[])[],
	retryAfterMs: number,
): SubmitResult[] {
	return byMessage.map((readings) =>
		toResult(readings.map((one) => toOutcome(one, retryAfterMs))),
	);
}

/** Where the account was refused, or all messages together, nothing was taken. */
function toOutcome(reading: Reading, retryAfterMs: number): PartOutcome {
	switch (reading.kind) {
		case "account":
		case "together":
			return { kind: "unsent", why: reading.operatorError };
		case "throttled":
			return { ...reading, retryAfterMs };
		default:
			return reading;
	}
}

/** Of a message that has no segments of its own, as far as anybody knows. */
export function whole(outcome: PartOutcome): SubmitResult {
	return toResult([outcome]);
}

function toResult(outcomes: readonly PartOutcome[]): SubmitResult {
	return {
		total: outcomes.length,
		parts: outcomes.map((outcome, index) => ({ part: index + 1, ...outcome })),
	};
}
