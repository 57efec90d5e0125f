import fc from "fast-check";
import { expect, test } from "vitest";
import { normalizeTags } from "./tags.ts";

test("tags are trimmed, lower-cased, distinct and sorted", () => {
	expect(normalizeTags([" VIP ", "vip", "", "Gold"], "tags")).toEqual([
		"gold",
		"vip",
	]);
});

test("an accent is the same whether it came with its letter or behind it", () => {
	const [composed, decomposed] = ["café", "cafe\u0301"];
	expect(normalizeTags([decomposed, "CAFE\u0301", composed], "tags")).toEqual([
		composed,
	]);
});

test("more than 50 tags, or one of more than 64 characters, are refused by field", () => {
	const many = Array.from({ length: 51 }, (_, index) => `tag-${index}`);
	for (const tags of [many, ["x".repeat(65)], ["a\0b"]])
		expect(() => normalizeTags(tags, "tags")).toThrow(
			expect.objectContaining({ reason: "invalid_tags", field: "tags" }),
		);
});

test("normalizing twice changes nothing", () => {
	const tag = fc
		.string({ maxLength: 20 })
		.filter((text) => !text.includes("\0"));
	fc.assert(
		fc.property(fc.array(tag, { maxLength: 20 }), (tags) => {
			const once = normalizeTags(tags, "tags");
			expect(normalizeTags(once, "tags")).toEqual(once);
		}),
	);
});
