/** A line of a table; a column that the table does not have is empty in each. */
export interface CsvRow<Name extends string> {
	/** From 1, the line of the names; that of its beginning where a cell has several lines. */
	readonly line: number;
	readonly cells: Readonly<Record<Name, string>>;
}

/** What makes a text no table, and where. */
export interface CsvProblem {
	readonly line: number;
	readonly problem: string;
}

/** What `toCsv` puts before a formula. */
const GUARD = /^'(?=[=+\-@\t\r])/;

/**
 * Reads a table as RFC 4180 says, with the names of its columns in the first line, in any order; empty lines, and the
 * mark with which spreadsheets begin a file in UTF-8, are passed over. Cells are trimmed.
 */
export function readCsv<Name extends string>(
	text: string,
	names: readonly Name[],
	required: readonly Name[],
): { readonly rows: readonly CsvRow<Name>[] } | CsvProblem {
	const read = toLines(text.replace(/^\uFEFF/, ""));
	if ("problem" in read) return read;
	const [head = { line: 1, cells: [] }, ...lines] = read.lines;
	const problem = headProblem(head.cells, names, required);
	if (problem !== undefined) return { line: head.line, problem };
	const width = head.cells.length;
	const odd = lines.find(({ cells }) => cells.length !== width);
	if (odd !== undefined)
		return {
			line: odd.line,
			problem: `Line ${odd.line} has ${odd.cells.length} cells, but there are ${width} columns.`,
		};
	const columns = names.map(
		(name) => [name, head.cells.indexOf(name)] as const,
	);
	const rows = lines.map(({ line, cells }) => ({
		line,
		cells: Object.fromEntries(
			columns.map(([name, index]) => [name, cells[index] ?? ""]),
		) as Record<Name, string>,
	}));
	return { rows };
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

function toLines(text: string): { readonly lines: Line[] } | CsvProblem {
	const lines: Line[] = [];
	let cells: string[] = [];
	let line = 1;
	let begin = 1;
	CELL.lastIndex = 0;
	while (CELL.lastIndex < text.length || cells.length > 0) {
		const found = CELL.exec(text);
		if (found === null)
			return {
				line,
				problem: `Line ${line} has a quote that does not begin or end a cell.`,
			};
		const [all, quoted, plain = "", end] = found;
		cells.push(
			(quoted?.replaceAll('""', '"') ?? plain).trim().replace(GUARD, ""),
		);
		line += all.match(/\r\n|\n|\r/g)?.length ?? 0;
		if (end === ",") continue;
		if (cells.length > 1 || cells[0] !== "") lines.push({ line: begin, cells });
		cells = [];
		begin = line;
	}
	return { lines };
}
