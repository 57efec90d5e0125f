import { expect, test } from "vitest";
import { displayWidth } from "./display-width.ts";

test.each([
	["Ada", 3],
	["日本語", 6],
	["한국어", 6],
	["ｆｕｌｌ", 8],
	["é", 1],
	["e\u0301", 1],
	["สวัสดี", 4],
	["नमस्ते", 4],
	["a\u200bb", 2],
	["😀", 2],
	["🫠", 2],
	["👩‍💻", 2],
	["🇫🇷", 2],
	["❤️", 2],
	["", 0],
])("%s takes %i columns", (text, columns) => {
	expect(displayWidth(text)).toBe(columns);
});
