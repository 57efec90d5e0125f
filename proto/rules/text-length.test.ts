import { expect, test } from "vitest";
import { countCharacters, isLongerThan } from "./text-length.ts";

test.each([
	["abc", 3, false],
	["abcd", 3, true],
	["👍👍👍", 3, false],
	["👍👍👍👍", 3, true],
	["👍abc", 3, true],
	["👍".repeat(100), 3, true],
])("%s against %i characters", (text, max, longer) => {
	expect(isLongerThan(text, max)).toBe(longer);
	expect(countCharacters(text) > max).toBe(longer);
});
