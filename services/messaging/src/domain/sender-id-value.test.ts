import { expect, test } from "vitest";
import { isSenderIdValue } from "./sender-id-value.ts";

test.each([
	"ABC",
	"Airtower",
	"A.b-c_d e1",
	"12345678a",
	"ABCDEFGHIJK",
	"123",
	"123456789012345",
])("%j can be a sender", (value) => {
	expect(isSenderIdValue(value)).toBe(true);
});

test.each([
	"",
	"AB",
	"12",
	"ABCDEFGHIJKL",
	"1234567890123456",
	"...",
	" ABC",
	"ABC ",
	"Älpen",
	"+33612345678",
	"ABC\n",
	"ABC\0",
])("%j cannot be a sender", (value) => {
	expect(isSenderIdValue(value)).toBe(false);
});
