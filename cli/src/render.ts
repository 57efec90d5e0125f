import type { Cell, Output, Row } from "./output.ts";

const ABSENT = "-";
/** What a terminal shows as one: an emoji of several characters, or a character. */
const UNITS = /\p{RGI_Emoji}|./gsv;
const EMOJI = /^\p{RGI_Emoji}$/v;
/** Marks that stand on the letter before them, and what only directs the text. */
const WITHOUT_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** Unicode TR 11: East Asian Wide and Fullwidth. */
const WIDE_RANGES = [
	"\\u1100-\\u115f\\u2e80-\\u303e\\u3041-\\u33ff\\u3400-\\u4dbf\\u4e00-\\ua4cf",
	"\\ua960-\\ua97c\\uac00-\\ud7a3\\uf900-\\ufaff\\ufe10-\\ufe19\\ufe30-\\ufe6b",
	"\\uff01-\\uff60\\uffe0-\\uffe6\\u{16fe0}-\\u{18aff}\\u{1aff0}-\\u{1b2ff}",
	"\\u{1f200}-\\u{1f265}\\u{20000}-\\u{3fffd}",
];
const WIDE = new RegExp(`^[${WIDE_RANGES.join("")}]$`, "u");
/** Control characters, line separators, and marks that turn the direction of the line. */
const CONTROL =
	/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

export function renderText({ content, whenEmpty, note }: Output): string {
	const shown = isTable(content)
		? renderTable(content) || `${whenEmpty}\n`
		: renderThing(content);
	return note === undefined ? shown : `${shown}\n${note}\n`;
}

/** The output for machines: one JSON document. Absent values are null. */
export function renderJson({ content }: Output): string {
	const text = JSON.stringify(content, toJson, "\t");
	return `${text.replace(CONTROL, escapeControl)}\n`;
}

/** One line a field, the tables below. */
function renderThing(
	thing: Exclude<Output["content"], readonly Row[]>,
): string {
	const lines: string[][] = [];
	const tables: string[] = [];
	for (const [name, value] of Object.entries(thing))
		if (!isTable(value)) lines.push([toHeader(name), toText(value)]);
		else if (value.length > 0)
			tables.push(`\n${toHeader(name)}\n${renderTable(value)}`);
	return [alignLines(lines), ...tables].join("");
}

function renderTable(rows: readonly Row[]): string {
	if (rows.length === 0) return "";
	const names = Object.keys(rows[0] ?? {});
	const lines = rows.map((row) => names.map((name) => toText(row[name])));
	return alignLines([names.map(toHeader), ...lines]);
}

/** Two spaces between columns, whatever script they are written in. */
function alignLines(lines: readonly string[][]): string {
	const widths = (lines[0] ?? []).map((_, column) =>
		Math.max(...lines.map((line) => displayWidth(line[column] ?? ""))),
	);
	const pad = (cell: string, column: number) =>
		cell + " ".repeat((widths[column] ?? 0) - displayWidth(cell));
	return lines
		.map((line) => `${line.map(pad).join("  ").trimEnd()}\n`)
		.join("");
}

function toHeader(name: string): string {
	return name.replaceAll("_", " ").toUpperCase();
}

/** One line, whatever the value contains: a name must not be able to draw rows or move the cursor. */
function toText(value: Cell): string {
	if (value === undefined || value === "") return ABSENT;
	if (value instanceof Date) return value.toISOString();
	if (typeof value === "boolean") return value ? "yes" : "no";
	return String(value).replace(CONTROL, " ");
}

/** JSON leaves alone what a terminal may obey; its own tabs and line ends stay. */
function escapeControl(character: string): string {
	if (character === "\t" || character === "\n") return character;
	const code = character.charCodeAt(0).toString(16).padStart(4, "0");
	return `\\u${code}`;
}

function toJson(_: string, value: unknown): unknown {
	return typeof value === "bigint" ? Number(value) : (value ?? null);
}

function isTable(value: unknown): value is readonly Row[] {
	return Array.isArray(value);
}

/** Columns that a text takes in a terminal. */
export function displayWidth(text: string): number {
	const units = text.match(UNITS) ?? [];
	return units.reduce((sum, unit) => sum + widthOf(unit), 0);
}

function widthOf(unit: string): number {
	if (EMOJI.test(unit) || WIDE.test(unit)) return 2;
	return WITHOUT_WIDTH.test(unit) ? 0 : 1;
}
