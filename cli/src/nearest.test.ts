import { expect, test } from "vitest";
import { nearest } from "./nearest.ts";

test.each([
	["lsit", "list"],
	["show", "show"],
	["organisation", "organizations"],
	["xyzxyz", undefined],
])("%s means %s", (word, meant) => {
	expect(nearest(word, ["list", "show", "organizations"])).toBe(meant);
});
