import { expect, test } from "vitest";
import {
	type Alphabet,
	concatenationHeader,
	encodeParts,
	encodeWhole,
	type TextRules,
} from "./user-data.ts";

const rules = (
	alphabet: Alphabet,
	others: Partial<TextRules> = {},
): TextRules => ({
	alphabet,
	encoding: "auto",
	transliterate: false,
	referenceBits: 8,
	...others,
});

const hex = (parts: readonly Buffer[]) =>
	parts.map((part) => part.toString("hex"));

test("GSM text is one septet per octet under data_coding 0", () => {
	expect(encodeParts("@ {€}", rules("gsm"))).toEqual({
		dataCoding: 0,
		parts: [Buffer.from("00201b281b651b29", "hex")],
	});
});

test("anything else is UTF-16 big endian under data_coding 8, surrogate pairs whole", () => {
	const { dataCoding, parts } = encodeParts("ж😀", rules("gsm"));
	expect(dataCoding).toBe(8);
	expect(hex(parts)).toEqual(["0436d83dde00"]);
});

test("a lone surrogate is sent as the replacement character", () => {
	expect(hex(encodeParts("ж\ud83d", rules("gsm")).parts)).toEqual(["0436fffd"]);
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
		const data = encodeParts(text, rules(alphabet));
		expect(data.dataCoding).toBe(dataCoding);
		expect(hex(data.parts)).toEqual([octets]);
	},
);

test("parts are counted in septets in every alphabet", () => {
	const text = "[".repeat(100);
	expect(
		encodeParts(text, rules("ascii")).parts.map((part) => part.length),
	).toEqual([76, 24]);
	expect(
		encodeParts(text, rules("gsm")).parts.map((part) => part.length),
	).toEqual([152, 48]);
});

test("a text beyond the route's alphabet is cut at 67 units", () => {
	const { parts } = encodeParts("é".repeat(100), rules("ascii"));
	expect(parts.map((part) => part.length)).toEqual([134, 66]);
});

test("a whole text is never cut", () => {
	expect(encodeWhole("a".repeat(1600), rules("gsm")).parts[0]).toHaveLength(
		1600,
	);
});

test("the header of part 2 of 3 is 05 00 03 ref 03 02", () => {
	expect(concatenationHeader(8, 0xc8, 3, 2).toString("hex")).toBe(
		"050003c80302",
	);
});

test("with a reference of 16 bits it is 06 08 04 ref ref 03 02", () => {
	expect(concatenationHeader(16, 0x12c8, 3, 2).toString("hex")).toBe(
		"06080412c80302",
	);
});

test("beside a reference of 16 bits 152 septets or 66 units fit", () => {
	const wide = rules("gsm", { referenceBits: 16 });
	const lengths = (text: string) =>
		encodeParts(text, wide).parts.map((part) => part.length);
	expect(lengths("a".repeat(160))).toEqual([160]);
	expect(lengths("a".repeat(305))).toEqual([152, 152, 1]);
	expect(lengths("ж".repeat(133))).toEqual([132, 132, 2]);
});

test("a route may send every text as UCS-2", () => {
	const data = encodeParts("a".repeat(71), rules("gsm", { encoding: "ucs2" }));
	expect(data.dataCoding).toBe(8);
	expect(data.parts.map((part) => part.length)).toEqual([134, 8]);
});

test.each([
	["gsm", "“Olá”", 0, "224f6c6122"],
	["gsm", "“ж”", 8, "201c0436201d"],
	["ascii", "“à”", 8, "201c00e0201d"],
	["latin1", "“à”", 0, "22e022"],
] as const)(
	"a route whose alphabet is %s and that transliterates sends %j with data_coding %i",
	(alphabet, text, dataCoding, octets) => {
		const data = encodeParts(text, rules(alphabet, { transliterate: true }));
		expect(data.dataCoding).toBe(dataCoding);
		expect(hex(data.parts)).toEqual([octets]);
	},
);

test("a plain form that would need more parts is not used", () => {
	const data = encodeParts(
		"…".repeat(60),
		rules("gsm", { transliterate: true }),
	);
	expect(data).toMatchObject({ dataCoding: 8, parts: { length: 1 } });
});
