/** What one process or store takes: at rest, and for each rate of messages. */
export interface Cost {
	readonly name: string;
	/** In the order of the rates; the first is that at rest. */
	readonly values: readonly number[];
}

/** Names to the left, a column for each rate. */
export function costTable(
	title: string,
	rates: readonly number[],
	costs: readonly Cost[],
	show: (value: number) => string,
): string {
	const head = [title, ...rates.map((rate) => `${rate}/s`)];
	const rows = costs.map(({ name, values }) => [name, ...values.map(show)]);
	const table = [head, ...rows];
	const width = (column: number) =>
		Math.max(...table.map((row) => row[column]?.length ?? 0));
	const toLine = ([name = "", ...cells]: readonly string[]) =>
		`  ${[name.padEnd(width(0)), ...cells.map((cell, nth) => cell.padStart(width(nth + 1)))].join("  ")}`;
	return table.map(toLine).join("\n");
}
