import { expect, test } from "vitest";
import { frozenTogether } from "./frozen-groups.ts";

const NAMES = ["a", "b", "c", "d", "e", "f", "first"] as const;

test("three seeds in a row freeze all that there are, each time with the one that is always among them", () => {
	for (const seed of [1, 2, 3, 7, 100]) {
		const groups = [seed, seed + 1, seed + 2].map((seed) =>
			frozenTogether(NAMES, "first", seed),
		);
		for (const group of groups) {
			expect(group).toHaveLength(3);
			expect(group[0]).toBe("first");
		}
		expect(new Set(groups.flat())).toEqual(new Set(NAMES));
	}
});

test("a seed freezes the same again", () => {
	const once = frozenTogether(NAMES, "first", 2);
	expect(frozenTogether(NAMES, "first", 2)).toEqual(once);
});
