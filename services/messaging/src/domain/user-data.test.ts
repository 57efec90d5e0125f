import { expect, test } from "vitest";
import { concatenationHeader, encodeParts, encodeWhole } from "./user-data.ts";

const hex = (parts: readonly Buffer[]) =>
	parts.map((part) => part.toString("hex"));

test("GSM text is one septet per octet under data_coding 0", () => {
	expect(encodeParts("@ {€}", "gsm")).toEqual({
		dataCoding: 0,
		parts: [Buffer.from("00201b281b651b29", "hex")],
	});
});

test("anything else is UTF-16 big endian under data_coding 8, surrogate pairs whole", () => {
	const { dataCoding, parts } = encodeParts("ж😀", "gsm");
	expect(dataCoding).toBe(8);
	expect(hex(parts)).toEqual(["0436d83dde00"]);
});

test("a lone surrogate is sent as the replacement character", () => {
	expect(hex(encodeParts("ж\ud83d", "gsm").parts)).toEqual(["0436fffd"]);
});

test.each([
	["é", "latin1", 0, "e9"],
	["[", "latin1", 0, "5b"],
	["Δ", "latin1", 8, "0394"],
	["€", "latin1", 8, "20ac"],
	["ê", "latin1", 8, "00ea"],
	["a_@", "ascii", 0, "615f40"],
	["é", "ascii", 8, "00e9"],
	["`", "ascii", 8, "0060"],
] as const)(
	"%j on a route whose alphabet is %s has data_coding %i",
	(text, alphabet, dataCoding, octets) => {
		const data = encodeParts(text, alphabet);
		expect(data.dataCoding).toBe(dataCoding);
		expect(hex(data.parts)).toEqual([octets]);
	},
);

test("parts are counted in septets in every alphabet", () => {
	const text = "[".repeat(100);
	expect(encodeParts(text, "ascii").parts.map((part) => part.length)).toEqual([
		76, 24,
	]);
	expect(encodeParts(text, "gsm").parts.map((part) => part.length)).toEqual([
		152, 48,
	]);
});

test("a text beyond the route's alphabet is cut at 67 units", () => {
	const { parts } = encodeParts("é".repeat(100), "ascii");
	expect(parts.map((part) => part.length)).toEqual([134, 66]);
});

test("a whole text is never cut", () => {
	expect(encodeWhole("a".repeat(1600), "gsm").parts[0]).toHaveLength(1600);
});

test("the header of part 2 of 3 is 05 00 03 ref 03 02", () => {
	expect(concatenationHeader(0xc8, 3, 2).toString("hex")).toBe("050003c80302");
});
