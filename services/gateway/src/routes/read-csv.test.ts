import fc from "fast-check";
import { expect, test } from "vitest";
import { toCsv } from "./csv.ts";
import { readCsv } from "./read-csv.ts";

const names = ["number", "name"] as const;
const read = (text: string, mostRows = 100) =>
	readCsv(text, names, ["number"], mostRows);

test("any table that is written is read again, cell by cell", () => {
	const cell = fc
		.string({ unit: fc.constantFrom(...`a1+-=@'", \n\r;é`), maxLength: 8 })
		.map((text) => text.trim())
		// Written as it is, and read as a guard.
		.filter((text) => !/^'[=+\-@\t\r]/.test(text));
	const table = fc.array(fc.record({ number: cell, name: cell }));
	fc.assert(
		fc.property(table, (rows) => {
			const shown = rows.filter((row) => row.number + row.name !== "");
			const found = read(toCsv(names, shown));
			expect(found).toMatchObject({ rows: shown.map((cells) => ({ cells })) });
		}),
	);
});

test.each([
	[
		"number\n1\n2",
		[
			[2, "1", ""],
			[3, "2", ""],
		],
	],
	["\uFEFFname , number\r\n\r\nAda, 1 \r\n", [[3, "1", "Ada"]]],
	[
		'number,name\n1,"two\nlines"\n2,"say ""hi"""',
		[
			[2, "1", "two\nlines"],
			[4, "2", 'say "hi"'],
		],
	],
	["number\r1\r", [[2, "1", ""]]],
	["number,name\n1,", [[2, "1", ""]]],
	[
		"number,name\n1,Ada\n,\n , \n2,\n,\n",
		[
			[2, "1", "Ada"],
			[5, "2", ""],
		],
	],
	["number,name\n'+1-1,'-x", [[2, "+1-1", "-x"]]],
	["number", []],
])("%j has its lines, with their places", (text, rows) => {
	expect(read(text)).toEqual({
		rows: rows.map(([line, number, name]) => ({
			line,
			cells: { number, name },
		})),
	});
});

test.each([
	["", 1, "'number'"],
	["name\nAda", 1, "'number'"],
	["number;name\n1;Ada", 1, "'number;name'"],
	["number,number\n1,2", 1, "two columns"],
	["number,name\n1,Ada\n2", 3, "1 cells"],
	["number,name\n,,,1,Ada", 2, "more than 2 cells"],
	["number,name\n1,Ada,x", 2, "more than 2 cells"],
	["number\n1,Ada", 2, "2 cells"],
	['number\n1\n"2', 3, "quote"],
	['number\n1\n2"x"', 3, "quote"],
	['number\n"1"x', 2, "quote"],
])("%j is none, as line %i shows", (text, line, told) => {
	expect(read(text)).toEqual({ line, problem: expect.stringContaining(told) });
});

test("nothing is read behind the first row that is too many, nor behind the first cell of a line", () => {
	const problem = '"x"y';
	expect(read(`number\n1\n2\n3\n${problem}`, 2)).toMatchObject({
		rows: [{ line: 2 }, { line: 3 }, { line: 4 }],
	});
	for (const text of ["number,name,,", "number\n1,,,"])
		expect(read(text + problem)).toEqual(read(text));
});

test("a long text that is no table is told as soon as any other", () => {
	for (const text of ['"'.repeat(1_000_001), `"${"x".repeat(1_000_000)}`])
		expect(read(text)).toMatchObject({ line: 1 });
});
