import { countSegments } from "@airtower/proto/rules/segments";
import fc from "fast-check";
import { expect, test } from "vitest";
import { describeParts, findForeignCharacters } from "./text-preview.ts";

test("parts have the lengths that fill them: septets, or UTF-16 units", () => {
	expect(describeParts("x".repeat(160)).partUnits).toEqual([160]);
	expect(describeParts("x".repeat(161)).partUnits).toEqual([153, 8]);
	expect(describeParts("€".repeat(80)).partUnits).toEqual([160]);
	expect(describeParts("€".repeat(81)).partUnits).toEqual([152, 10]);
	expect(describeParts("ж".repeat(71))).toEqual({
		encoding: "ucs2",
		partUnits: [67, 4],
	});
});

test("a text has as many parts as are counted for it", () => {
	const text = fc.string({ unit: "grapheme", maxLength: 400 });
	fc.assert(
		fc.property(text, (text) => {
			const { encoding, partUnits } = describeParts(text);
			const counted = countSegments(text);
			expect(encoding).toBe(counted.encoding);
			expect(partUnits).toHaveLength(counted.segments);
			expect(partUnits.reduce((sum, units) => sum + units, 0)).toBe(
				counted.units,
			);
		}),
	);
});

test("characters outside of GSM-7 are named with their places and plain forms", () => {
	expect(findForeignCharacters("😀 l’été, l’œuf")).toEqual({
		characters: [
			{ character: "😀", count: 1, positions: [0], plain: undefined },
			{ character: "’", count: 2, positions: [4, 11], plain: "'" },
			{ character: "œ", count: 1, positions: [12], plain: "oe" },
		],
		count: 3,
	});
	expect(findForeignCharacters("{€}").count).toBe(0);
});

test("no more than 20 characters and 10 places of each are named, and all are counted", () => {
	const letters = Array.from({ length: 33 }, (_, nth) =>
		String.fromCharCode(0x430 + nth),
	);
	const { characters, count } = findForeignCharacters(
		letters.join("").repeat(11),
	);
	expect(count).toBe(33);
	expect(characters.map(({ character }) => character)).toEqual(
		letters.slice(0, 20),
	);
	expect(characters[0]).toMatchObject({ count: 11 });
	expect(characters[0]?.positions).toHaveLength(10);
});
