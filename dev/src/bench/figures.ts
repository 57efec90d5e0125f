/** One measured figure beside what it must reach. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	readonly unit: "ratio" | "/s" | "ms";
	/** Which side of the floor is good. */
	readonly better: "higher" | "lower";
	/** Absent for a figure that only informs. */
	readonly floor?: number;
	readonly aim?: number;
}

/** True when the figure reaches its floor, or has none. */
export function meetsFloor({ value, better, floor }: Figure): boolean {
	if (floor === undefined) return true;
	return better === "higher" ? value >= floor : value <= floor;
}

/** The figures as a table for a person. */
export function figureTable(figures: readonly Figure[]): string {
	const rows = figures.map((figure) => [
		figure.name,
		show(figure.value, figure.unit),
		show(figure.floor, figure.unit),
		show(figure.aim, figure.unit),
		verdict(figure),
	]);
	const all = [["figure", "measured", "floor", "aim", ""], ...rows];
	const widths = [0, 1, 2, 3, 4].map((column) =>
		Math.max(...all.map((row) => row[column]?.length ?? 0)),
	);
	return all.map((row) => `  ${alignRow(row, widths)}`).join("\n");
}

function verdict(figure: Figure): string {
	if (figure.floor === undefined) return "";
	if (!meetsFloor(figure)) return "MISSED";
	const { aim, floor: _, ...rest } = figure;
	const reachesAim = aim !== undefined && meetsFloor({ ...rest, floor: aim });
	return reachesAim ? "aim reached" : "met";
}

function show(value: number | undefined, unit: Figure["unit"]): string {
	if (value === undefined) return "";
	if (unit === "ratio") return value.toFixed(2);
	return `${Math.round(value).toLocaleString("en-US")}${unit === "ms" ? " ms" : unit}`;
}

/** Names to the left, numbers to the right. */
function alignRow(row: readonly string[], widths: readonly number[]): string {
	return row
		.map((cell, column) => {
			const width = widths[column] ?? 0;
			return column === 0 || column === 4
				? cell.padEnd(width)
				: cell.padStart(width);
		})
		.join("  ")
		.trimEnd();
}
