import { describe, expect, it } from "vitest";
import {
	decideAttempt,
	recipientPauseMs,
	retryDelayMs,
} from "./attempt-outcome.ts";

const refused = (code: number) =>
	({
		kind: "refused",
		code,
		httpStatus: 400,
		isTransient: false,
		text: "",
	}) as const;

describe("decideAttempt", () => {
	it("never sends again what may have been taken", () => {
		expect(decideAttempt({ kind: "unknown", text: "" }, 0, 0.5)).toEqual({
			kind: "unknown",
		});
	});

	it("sends again what was never written, without counting it", () => {
		expect(decideAttempt({ kind: "unsent", text: "" }, 0, 0.5)).toEqual({
			kind: "postponed",
			delayMs: 1_000,
			refusals: 1,
			pauses: "nobody",
		});
	});

	it.each([
		[131_000, 4_000, "nobody"],
		[130_429, 4_000, "number"],
		[131_056, 28_800, "recipient"],
	])(
		"code %i for the third time delays the message by %i ms, and pauses %s",
		(code, delayMs, pauses) => {
			expect(decideAttempt(refused(code), 2, 0.5)).toEqual({
				kind: "postponed",
				refusals: 3,
				delayMs,
				pauses,
			});
		},
	);

	it("fails a message for good, and stops a number with its reason", () => {
		expect(decideAttempt(refused(131_008), 0, 0.5)).toEqual({
			kind: "failed",
			failure: "rejected",
		});
		expect(decideAttempt(refused(190), 0, 0.5)).toEqual({
			kind: "number_stopped",
			reason: "provider error 190",
		});
		expect(decideAttempt({ ...refused(100), subcode: 33 }, 0, 0.5)).toEqual({
			kind: "number_stopped",
			reason: "provider error 100, subcode 33",
		});
	});
});

it.each([
	[1, 0, 800],
	[1, 0.5, 1_000],
	[2, 0.5, 2_000],
	[5, 0.5, 16_000],
	[30, 0.5, 600_000],
])("refusal %i with random %f waits %i ms", (refusals, random, ms) => {
	expect(retryDelayMs(refusals, random)).toBe(ms);
});

it.each([
	[1, 0, 6_000],
	[1, 0.5, 7_200],
	[2, 0, 12_000],
	[30, 0, 600_000],
])("paced %i times with random %f waits %i ms", (refusals, random, ms) => {
	expect(recipientPauseMs(refusals, random)).toBe(ms);
});
