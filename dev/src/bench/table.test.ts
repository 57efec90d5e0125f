import { expect, test } from "vitest";
import { toTable } from "./table.ts";

test("numbers stand in columns by rate", () => {
	const table = toTable([
		["cores", "0/s", "100/s"],
		["gateway", "0.01", "0.50"],
		["postgres", "0.00", "1.25"],
	]);
	expect(table.split("\n")).toEqual([
		"  cores      0/s  100/s",
		"  gateway   0.01   0.50",
		"  postgres  0.00   1.25",
	]);
});
