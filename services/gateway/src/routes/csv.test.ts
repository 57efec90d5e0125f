import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";

test("a cell is quoted where it must be, and no formula is left to a spreadsheet", () => {
	const rows = [
		["plain", "plain"],
		[null, ""],
		[-5, "-5"],
		["+33612345678", "+33612345678"],
		["a,b", '"a,b"'],
		['say "hi"', '"say ""hi"""'],
		["two\nlines", '"two\nlines"'],
		["=1+1", "'=1+1"],
		["+1-1", "'+1-1"],
		["@sum", "'@sum"],
		["-2+3", "'-2+3"],
		['=cmd|"x"', `"'=cmd|""x"""`],
	] as const;
	for (const [value, cell] of rows)
		expect(toCsv(["a", "b"], [{ a: value, b: true }])).toBe(
			`a,b\r\n${cell},true\r\n`,
		);
});
