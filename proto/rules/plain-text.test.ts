import { expect, test } from "vitest";
import {
	countCharacters,
	FILLED_PLAIN_PATTERN,
	isLongerThan,
	isPlain,
	toPlain,
} from "./plain-text.ts";

test.each([
	"a\u0000b",
	"\n",
	"tab\t",
	"\u001b[2J",
	"bell\u0007",
	"a\r\nb",
	"\u007f",
	"\u0085",
	"a\u2028b",
	"\u202eevil",
	"\u2066x\u2069",
])("%j is not plain", (text) => {
	expect(isPlain(text)).toBe(false);
	expect(isPlain(toPlain(text))).toBe(true);
	expect(new RegExp(FILLED_PLAIN_PATTERN).test(text)).toBe(false);
});

test.each(["Zürich Café", "日本 🚀", "O'Neil & Sons", "مريم\u200f", "👩‍👩‍👧"])(
	"%j is a name as it is",
	(text) => {
		expect(isPlain(text)).toBe(true);
		expect(toPlain(text)).toBe(text);
		expect(new RegExp(FILLED_PLAIN_PATTERN).test(text)).toBe(true);
	},
);

test("text of white space alone is plain, and not filled", () => {
	expect(isPlain(" \u00a0")).toBe(true);
	expect(new RegExp(FILLED_PLAIN_PATTERN).test(" \u00a0")).toBe(false);
});

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
