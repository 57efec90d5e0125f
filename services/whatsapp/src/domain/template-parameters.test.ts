import { describe, expect, it } from "vitest";
import { parametersProblem } from "./template-parameters.ts";

const utility = { category: "utility", parameterCount: 2 } as const;
const code = { category: "authentication", parameterCount: 1 } as const;

describe("parametersProblem", () => {
	it("takes as many values as the body has placeholders", () => {
		expect(parametersProblem(utility, ["Ada", "42"])).toBeUndefined();
		expect(parametersProblem(utility, ["Ada"])).toMatch(/takes 2/);
		expect(parametersProblem(utility, ["Ada", "42", "x"])).toMatch(/takes 2/);
	});

	it.each(["", "  ", "a\nb", "a\tb", "a     b", "a\0b", "\ud800"])(
		"refuses the value %j",
		(value) => {
			expect(parametersProblem(utility, ["Ada", value])).toBeDefined();
		},
	);

	it("takes four spaces in a row", () => {
		expect(parametersProblem(utility, ["Ada", "a    b"])).toBeUndefined();
	});

	it("takes codes of 15 characters, and none of 16", () => {
		expect(parametersProblem(code, ["1".repeat(15)])).toBeUndefined();
		expect(parametersProblem(code, ["1".repeat(16)])).toMatch(/at most 15/);
	});

	it("takes 1,024 characters together, and no more", () => {
		expect(
			parametersProblem(utility, ["👍".repeat(1_000), "b".repeat(24)]),
		).toBeUndefined();
		expect(
			parametersProblem(utility, ["a".repeat(1_000), "b".repeat(25)]),
		).toBeDefined();
	});
});
