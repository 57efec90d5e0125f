import { expect, test } from "vitest";
import { displayWidth, renderJson, renderText } from "./render.ts";

const list = {
	content: [
		{ name: "a", is_default: true, created_at: new Date(0) },
		{ name: "longer", is_default: false, created_at: undefined },
	],
	whenEmpty: "None.",
};

test("a table has a header and aligned columns", () => {
	expect(renderText(list)).toBe(
		[
			"NAME    IS DEFAULT  CREATED AT",
			"a       yes         1970-01-01T00:00:00.000Z",
			"longer  no          -",
			"",
		].join("\n"),
	);
});

test("columns stand below each other whatever script they hold", () => {
	const content = ["日本語", "สวัสดี", "🫠", "a"].map((name) => ({
		name,
		on: true,
	}));
	const lines = renderText({ content }).trimEnd().split("\n");
	const starts = lines.map((line) =>
		displayWidth(line.slice(0, line.search(/(ON|yes)$/))),
	);
	expect(new Set(starts)).toEqual(new Set([8]));
});

test("an empty table is said in words, and is an empty list for machines", () => {
	expect(renderText({ content: [], whenEmpty: "None." })).toBe("None.\n");
	expect(renderJson({ content: [], whenEmpty: "None." })).toBe("[]\n");
});

test("a record is one line a field, its tables below", () => {
	const content = { id: "x", note: "", parts: [{ number: 1 }], none: [] };
	const output = { content };
	expect(renderText(output)).toBe(
		["ID    x", "NOTE  -", "", "PARTS", "NUMBER", "1", ""].join("\n"),
	);
	expect(JSON.parse(renderJson(output))).toEqual({
		id: "x",
		note: "",
		parts: [{ number: 1 }],
		none: [],
	});
});

test("a value cannot draw lines, move the cursor or turn its direction", () => {
	const name = "a\n\u001b[31mb\u009bc\u2028d\u202ee";
	const output = { content: [{ name }] };
	expect(renderText(output)).toBe("NAME\na  [31mb c d e\n");
	const json = renderJson(output);
	expect(json).toMatch(/^[\t\n -~]+$/);
	expect(JSON.parse(json)).toEqual([{ name }]);
});

test("machines get numbers, times and nulls", () => {
	const content = {
		balance: 12n,
		at: new Date(0),
		absent: undefined,
		flag: false,
	};
	expect(JSON.parse(renderJson({ content }))).toEqual({
		balance: 12,
		at: "1970-01-01T00:00:00.000Z",
		absent: null,
		flag: false,
	});
});

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
