import { expect, test } from "vitest";
import { largestDrop } from "./prefix-drop.ts";

const week = { submitted: 10_000, delivered: 9_000 };

test.each([
	["without traffic", [], 0],
	["when the share is as before", [[100, 90]], 0],
	["when it is higher", [[100, 99]], 0],
	[
		"of the country that fell most",
		[
			[100, 85],
			[100, 40],
			[200, 170],
		],
		0.5,
	],
	["with too few messages in the hour", [[49, 0]], 0],
] as const)("the largest drop %s", (_, hours, drop) => {
	const prefixes = hours.map(([submitted, delivered]) => ({
		hour: { submitted, delivered },
		week,
	}));
	expect(largestDrop(prefixes)).toBeCloseTo(drop);
});

test("a country with too few messages in the week has no drop", () => {
	const hour = { submitted: 100, delivered: 0 };
	expect(
		largestDrop([{ hour, week: { submitted: 499, delivered: 499 } }]),
	).toBe(0);
});
