import { expect, test } from "vitest";
import { decide, repeated } from "./reservation-decision.ts";

const open = {
	state: "active",
	earlierBalance: null,
	released: false,
	balanceAfter: null,
} as const;

test("a debit is a grant", () => {
	expect(decide({ ...open, balanceAfter: 0 })).toEqual({
		kind: "granted",
		balanceAfter: 0,
	});
});

test("without a debit the quota is used up", () => {
	expect(decide(open)).toEqual({
		kind: "refused",
		reason: "quota_exhausted",
	});
});

test.each(["active", "suspended", "closed"] as const)(
	"an earlier reservation keeps its decision in a %s organization",
	(state) => {
		expect(decide({ ...open, state, earlierBalance: 7 })).toEqual({
			kind: "repeated",
			balanceAfter: 7,
		});
	},
);

test("a reservation that was given back is not granted again", () => {
	expect(decide({ ...open, earlierBalance: 7, released: true })).toEqual({
		kind: "refused",
		reason: "reservation_released",
	});
});

test.each([
	[null, "unknown_organization"],
	["suspended", "organization_suspended"],
	["closed", "organization_suspended"],
] as const)("an organization that is %s is refused as %s", (state, reason) => {
	expect(decide({ ...open, state })).toEqual({ kind: "refused", reason });
});

test("a second mention of a granted message repeats it, of a refused one refuses it", () => {
	expect(repeated({ kind: "granted", balanceAfter: 3 })).toEqual({
		kind: "repeated",
		balanceAfter: 3,
	});
	const refusal = { kind: "refused", reason: "quota_exhausted" } as const;
	expect(repeated(refusal)).toEqual(refusal);
});
