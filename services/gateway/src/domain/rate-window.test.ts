import { expect, test } from "vitest";
import { nextBlock, windowStart } from "./rate-window.ts";

test("windows begin at whole minutes since the epoch", () => {
	expect(windowStart(1_772_357_459_999)).toBe(1_772_357_400);
	expect(windowStart(1_772_357_460_000)).toBe(1_772_357_460);
});

test.each([
	[0, 3_000, 8],
	[8, 3_000, 16],
	[256, 3_000, 375],
	[375, 80, 10],
	[8, 3, 1],
	[8, -5, 1],
])(
	"after a block of %i with %i left the next one is %i",
	(previous, remaining, next) => {
		expect(nextBlock(previous, remaining)).toBe(next);
	},
);
