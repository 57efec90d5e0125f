import type { Cell, Output, Row } from "./output.ts";

const GAP = "  ";
const ABSENT = "-";
/** Control characters, line separators, and marks that turn the direction of the line. */
const CONTROL =
	/[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

type OutputOf<Kind extends Output["kind"]> = Extract<Output, { kind: Kind }>;

/** The output for people: aligned tables, one line a row. */
export function renderText(output: Output): string {
	const shown = output.kind === "rows" ? renderRows(output) : renderAll(output);
	return output.note === undefined ? shown : `${shown}\n${output.note}\n`;
}

function renderRows({ rows, whenEmpty }: OutputOf<"rows">): string {
	return rows.length === 0 ? `${whenEmpty}\n` : renderTable(rows);
}

function renderAll({ record, tables = {} }: OutputOf<"record">): string {
	const shown = Object.entries(tables)
		.filter(([, rows]) => rows.length > 0)
		.map(([name, rows]) => `\n${headerOf(name)}\n${renderTable(rows)}`);
	return [renderRecord(record), ...shown].join("");
}

/** The output for machines: one JSON document. Absent values are null. */
export function renderJson(output: Output): string {
	const document =
		output.kind === "rows"
			? output.rows
			: { ...output.record, ...output.tables };
	const text = JSON.stringify(withNulls(document), jsonValue, "\t");
	return `${text.replace(CONTROL, escaped)}\n`;
}

/** JSON leaves alone what a terminal may obey; its own tabs and line ends stay. */
function escaped(character: string): string {
	if (character === "\t" || character === "\n") return character;
	const code = character.charCodeAt(0).toString(16).padStart(4, "0");
	return `\\u${code}`;
}

/** A table with a header; the last column is not padded. */
export function renderTable(rows: readonly Row[]): string {
	const names = Object.keys(rows[0] ?? {});
	const lines = [
		names.map(headerOf),
		...rows.map((row) => names.map((name) => textOf(row[name]))),
	];
	return alignLines(lines);
}

function renderRecord(record: Row): string {
	return alignLines(
		Object.entries(record).map(([name, value]) => [
			headerOf(name),
			textOf(value),
		]),
	);
}

function alignLines(lines: readonly (readonly string[])[]): string {
	const widths = (lines[0] ?? []).map((_, column) =>
		Math.max(...lines.map((line) => widthOf(line[column] ?? ""))),
	);
	return lines
		.map((line) => {
			const cells = line.map(
				(cell, column) =>
					cell + " ".repeat((widths[column] ?? 0) - widthOf(cell)),
			);
			return `${cells.join(GAP).trimEnd()}\n`;
		})
		.join("");
}

function headerOf(name: string): string {
	return name.replaceAll("_", " ").toUpperCase();
}

/** One line, whatever the value holds: a name must not be able to draw rows or move the cursor. */
function textOf(value: Cell): string {
	if (value === undefined || value === "") return ABSENT;
	if (value instanceof Date) return value.toISOString();
	if (typeof value === "boolean") return value ? "yes" : "no";
	return String(value).replace(CONTROL, " ");
}

function widthOf(text: string): number {
	return [...text].length;
}

function withNulls(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(withNulls);
	if (typeof value !== "object" || value === null || value instanceof Date)
		return value ?? null;
	return Object.fromEntries(
		Object.entries(value).map(([name, part]) => [name, withNulls(part)]),
	);
}

function jsonValue(_: string, value: unknown): unknown {
	return typeof value === "bigint" ? Number(value) : value;
}
