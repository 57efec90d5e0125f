import { expect, test } from "vitest";
import { cleanText, hasControlCharacters } from "./text.ts";

test.each(["a\u0000b", "\n", "tab\t", "\u007f", "\u0085"])(
	"%j has a control character",
	(text) => {
		expect(hasControlCharacters(text)).toBe(true);
		expect(hasControlCharacters(cleanText(text, 10))).toBe(false);
	},
);

test.each(["Zürich Café", "日本 🚀", "O'Neil & Sons"])(
	"%j is a name as it is",
	(text) => {
		expect(hasControlCharacters(text)).toBe(false);
		expect(cleanText(text, 200)).toBe(text);
	},
);

test("text is cut between characters, not inside one", () => {
	expect(cleanText("🚀🚀🚀", 2)).toBe("🚀🚀");
});
