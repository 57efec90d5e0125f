/** Names to the left, numbers to the right; a last column of words may be told to stand to the left too. */
export function toTable(
	rows: readonly (readonly string[])[],
	{ wordsLast = false } = {},
): string {
	const columns = Math.max(...rows.map((row) => row.length));
	const widths = Array.from({ length: columns }, (_, column) =>
		Math.max(...rows.map((row) => row[column]?.length ?? 0)),
	);
	const isLeft = (column: number) =>
		column === 0 || (wordsLast && column === columns - 1);
	return rows
		.map((row) => {
			const cells = row.map((cell, column) =>
				isLeft(column)
					? cell.padEnd(widths[column] ?? 0)
					: cell.padStart(widths[column] ?? 0),
			);
			return `  ${cells.join("  ")}`.trimEnd();
		})
		.join("\n");
}
