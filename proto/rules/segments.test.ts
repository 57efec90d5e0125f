import fc from "fast-check";
import { expect, test } from "vitest";
import { countSegments, splitText, splitUcs2 } from "./segments.ts";

test.each([
	["a".repeat(160), "gsm7", 1, 160],
	["a".repeat(161), "gsm7", 2, 161],
	["a".repeat(306), "gsm7", 2, 306],
	["a".repeat(307), "gsm7", 3, 307],
	["€".repeat(80), "gsm7", 1, 160],
	["€".repeat(81), "gsm7", 2, 162],
	["ж".repeat(70), "ucs2", 1, 70],
	["ж".repeat(71), "ucs2", 2, 71],
	["ж".repeat(134), "ucs2", 2, 134],
	["ж".repeat(135), "ucs2", 3, 135],
	["😀".repeat(35), "ucs2", 1, 70],
	["", "gsm7", 1, 0],
	[`${"a".repeat(159)}ç`, "ucs2", 3, 160],
] as const)(
	"%j counts as %s, %i segments, %i units",
	(text, encoding, segments, units) => {
		expect(countSegments(text)).toEqual({ encoding, segments, units });
	},
);

test("an escape pair at the 153rd septet moves to the next part whole", () => {
	const text = `${"a".repeat(152)}€${"b".repeat(20)}`;
	expect(splitText(text).parts).toEqual([
		"a".repeat(152),
		`€${"b".repeat(20)}`,
	]);
});

test("escape pairs alone leave one septet of each part free, and the count says so", () => {
	const text = "€".repeat(153);
	expect(countSegments(text).segments).toBe(3);
	expect(splitText(text).parts.map((part) => part.length)).toEqual([76, 76, 1]);
});

test("a surrogate pair at the 67th unit moves to the next part whole", () => {
	const text = `${"ж".repeat(66)}😀${"ж".repeat(10)}`;
	expect(splitText(text).parts).toEqual([
		"ж".repeat(66),
		`😀${"ж".repeat(10)}`,
	]);
});

test("a text that is GSM-7 can be split as UCS-2 for a poorer route", () => {
	expect(splitUcs2("a".repeat(71)).parts.map((part) => part.length)).toEqual([
		67, 4,
	]);
});

test("the parts of any text join to the text, number what was counted, and each fits", () => {
	fc.assert(
		fc.property(
			fc.string({ unit: "binary", maxLength: 400 }),
			fc.boolean(),
			(binary, gsm) => {
				const text = gsm ? binary.replace(/[^\x20-\x7e]|`/gu, "€") : binary;
				const { parts, encoding } = splitText(text);
				expect(parts.join("")).toBe(text);
				expect(parts.length).toBe(countSegments(text).segments);
				const limit = { gsm7: [160, 153], ucs2: [70, 67] }[encoding];
				const most = limit[parts.length > 1 ? 1 : 0] ?? 0;
				for (const part of parts)
					expect(splitAloneUnits(part, encoding)).toBeLessThanOrEqual(most);
			},
		),
	);
});

function splitAloneUnits(part: string, encoding: "gsm7" | "ucs2"): number {
	return encoding === "ucs2" ? part.length : countSegments(part).units;
}
