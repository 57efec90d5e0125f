import { expect, it } from "vitest";
import { failureFromStatus, judgeError } from "./provider-error.ts";

const of = (code: number | undefined, httpStatus = 400, isTransient = false) =>
	judgeError({ code, httpStatus, isTransient });

it.each([1, 2, 131_000, 131_016, 131_057])("code %i is tried again", (code) => {
	expect(of(code)).toEqual({ kind: "retry" });
});

it.each([4, 80_007, 130_429])("code %i pauses the number", (code) => {
	expect(of(code)).toEqual({ kind: "throttled" });
});

it("code 131056 pauses the recipient", () => {
	expect(of(131_056)).toEqual({ kind: "recipient_paced" });
});

it.each([
	[131_021, "rejected"],
	[131_026, "undeliverable"],
	[131_030, "rejected"],
	[131_049, "blocked"],
	[131_050, "blocked"],
	[131_062, "undeliverable"],
	[130_472, "blocked"],
])("code %i about the recipient fails the message as %s", (code, failure) => {
	expect(of(code)).toEqual({ kind: "failed", failure });
});

it.each([
	100, 131_008, 131_009, 131_047, 131_051, 132_000, 132_001, 132_005, 132_007,
	132_008, 132_012, 132_015, 132_016, 999_999,
])("code %i about the request fails the message", (code) => {
	expect(of(code)).toEqual({ kind: "failed", failure: "rejected" });
});

it.each([
	0, 3, 10, 33, 190, 200, 250, 299, 368, 131_005, 131_037, 133_010, 131_031,
	131_042, 131_045, 131_048, 131_064,
])("code %i stops the number", (code) => {
	expect(of(code)).toEqual({ kind: "stop_number" });
});

it("code 100 stops the number where its subcode says that there is no such number for the token", () => {
	const refusal = { code: 100, httpStatus: 400, isTransient: false };
	expect(judgeError({ ...refusal, subcode: 33 })).toEqual({
		kind: "stop_number",
	});
	expect(judgeError({ ...refusal, subcode: 2_494_010 })).toEqual({
		kind: "failed",
		failure: "rejected",
	});
});

it("without a known code the HTTP status and is_transient decide", () => {
	expect(of(undefined, 503)).toEqual({ kind: "retry" });
	expect(of(999_999, 400, true)).toEqual({ kind: "retry" });
	expect(of(undefined, 429)).toEqual({ kind: "throttled" });
	expect(of(undefined, 401)).toEqual({ kind: "stop_number" });
});

it.each([302, 400, 403, 404, 407])(
	"a %i without a code is no word of the provider's: the message is tried again",
	(httpStatus) => {
		expect(of(undefined, httpStatus)).toEqual({ kind: "retry" });
	},
);

it("a known code outweighs is_transient and the HTTP status", () => {
	expect(of(131_026, 500, true)).toEqual({
		kind: "failed",
		failure: "undeliverable",
	});
});

it.each([
	[131_026, "undeliverable"],
	[131_049, "blocked"],
	[131_047, "rejected"],
	[131_000, "operator_error"],
	[131_042, "operator_error"],
	[undefined, "undeliverable"],
])("a failed status with code %s is public as %s", (code, failure) => {
	expect(failureFromStatus(code)).toBe(failure);
});
