/** A line of a table; a column that the table does not have is empty in each. */
export interface CsvRow<Name extends string> {
	/** From 1, the line of the names; that of its beginning where a cell has several lines. */
	readonly line: number;
	readonly cells: Readonly<Record<Name, string>>;
}

/** What makes a text no table, and where. */
interface CsvProblem {
	readonly line: number;
	readonly problem: string;
}

/** What `toCsv` puts before a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

/**
 * Reads a table as RFC 4180 says, with the names of its columns in the first line, in any order. Empty lines, also the
 * commas of one that a spreadsheet has emptied, and the mark with which spreadsheets begin a file in UTF-8, are passed
 * over. Cells are trimmed. Reading ends after one row more than `mostRows`: the event loop, which all organizations
 * share, reads no more of a table than may be in it.
 */
export function readCsv<Name extends string>(
	text: string,
	names: readonly Name[],
	required: readonly Name[],
	mostRows: number,
): { readonly rows: readonly CsvRow<Name>[] } | CsvProblem {
	const lines = readLines(text.replace(/^\uFEFF/, ""), names.length);
	const head = lines.next().value ?? { line: 1, cells: [] };
	if ("problem" in head) return head;
	const problem = headProblem(head.cells, names, required);
	if (problem !== undefined) return { line: head.line, problem };
	const width = head.cells.length;
	const columns = names.map(
		(name) => [name, head.cells.indexOf(name)] as const,
	);
	const rows: CsvRow<Name>[] = [];
	for (const read of lines) {
		if ("problem" in read) return read;
		const { line, cells } = read;
		if (cells.length !== width)
			return { line, problem: widthProblem(read, width, names.length) };
		const named = columns.map(([name, index]) => [name, cells[index] ?? ""]);
		rows.push({
			line,
			cells: Object.fromEntries(named) as Record<Name, string>,
		});
		if (rows.length > mostRows) break;
	}
	return { rows };
}

function widthProblem(
	{ line, cells }: Line,
	width: number,
	mostCells: number,
): string {
	const count =
		cells.length > mostCells ? `more than ${mostCells}` : cells.length;
	return `Line ${line} has ${count} cells, but there are ${width} columns.`;
}

function headProblem(
	head: readonly string[],
	names: readonly string[],
	required: readonly string[],
): string | undefined {
	const known = names.join(", ");
	for (const [index, name] of head.entries()) {
		if (!names.includes(name))
			return `'${name.slice(0, 40)}' is not the name of a column; those are: ${known}. Commas part the cells.`;
		if (head.indexOf(name) < index) return `There are two columns '${name}'.`;
	}
	const missing = required.find((name) => !head.includes(name));
	return missing && `The first line must name the column '${missing}'.`;
}

interface Line {
	readonly line: number;
	readonly cells: readonly string[];
}

/** One cell with what ends it; quotes are doubled within quotes. */
const CELL = /(?:"([^"]*(?:""[^"]*)*)"|([^",\r\n]*))(,|\r\n|\n|\r|$)/y;
const EMPTY_LINES = /(?:[ \t]*(?:\r\n|\n|\r))+/y;

/** Line by line, without the empty ones, until one is none; of a line no more than one cell above the most. */
function* readLines(
	text: string,
	mostCells: number,
): Generator<Line | CsvProblem, undefined> {
	let line = 1;
	let at = 0;
	while (at < text.length) {
		const empty = matchAt(EMPTY_LINES, text, at)?.[0] ?? "";
		line += countEnds(empty);
		at += empty.length;
		const begin = line;
		const cells: string[] = [];
		for (let isEnd = at === text.length; !isEnd; ) {
			const found = matchAt(CELL, text, at);
			if (found === undefined) {
				const problem = `Line ${line} has a quote that does not begin or end a cell.`;
				yield { line, problem };
				return;
			}
			const [all, quoted, plain = "", end] = found;
			cells.push(
				(quoted?.replaceAll('""', '"') ?? plain).trim().replace(GUARD, ""),
			);
			line += countEnds(all);
			at += all.length;
			isEnd = end !== "," || cells.length > mostCells;
		}
		const isCut = cells.length > mostCells;
		if (isCut || cells.some((cell) => cell !== ""))
			yield { line: begin, cells };
	}
}

function matchAt(pattern: RegExp, text: string, at: number) {
	pattern.lastIndex = at;
	return pattern.exec(text) ?? undefined;
}

/** How many ends of lines there are. */
function countEnds(text: string): number {
	return text.match(/\r\n|\n|\r/g)?.length ?? 0;
}
