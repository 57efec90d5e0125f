/** One measured figure beside what it must reach: a time is to be low, all else high. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	readonly unit: "ratio" | "/s" | "ms";
	/** Absent for a figure that only informs. */
	readonly floor?: number;
	readonly aim?: number;
}

/** A rate, and its ratio to that of an empty route, which is what must reach floor and aim. */
export function rateFigures(
	name: string,
	perSecond: number,
	emptyPerSecond: number,
	wanted: Pick<Figure, "floor" | "aim">,
): Figure[] {
	const ratio = perSecond / emptyPerSecond;
	return [
		{ name, value: perSecond, unit: "/s" },
		{ name: "  to an empty route", value: ratio, unit: "ratio", ...wanted },
	];
}

/** The figures as a table for a person. */
export function figureTable(figures: readonly Figure[]): string {
	const rows = figures.map((figure) => [
		figure.name,
		show(figure.value, figure.unit),
		show(figure.floor, figure.unit),
		show(figure.aim, figure.unit),
		judge(figure),
	]);
	const all = [["figure", "measured", "floor", "aim", ""], ...rows];
	const widths = [0, 1, 2, 3, 4].map((column) =>
		Math.max(...all.map((row) => row[column]?.length ?? 0)),
	);
	return all.map((row) => `  ${alignRow(row, widths)}`).join("\n");
}

function judge({ value, unit, floor, aim }: Figure): string {
	const reaches = (limit: number) =>
		unit === "ms" ? value <= limit : value >= limit;
	if (floor === undefined) return "";
	if (!reaches(floor)) return "MISSED";
	return aim !== undefined && reaches(aim) ? "aim reached" : "met";
}

function show(value: number | undefined, unit: Figure["unit"]): string {
	if (value === undefined) return "";
	if (unit === "ratio") return value.toFixed(3);
	return `${Math.round(value).toLocaleString("en-US")}${unit === "ms" ? " ms" : unit}`;
}

/** Names to the left, numbers to the right. */
function alignRow(row: readonly string[], widths: readonly number[]): string {
	return row
		.map((cell, column) => {
			const width = widths[column] ?? 0;
			const isName = column === 0 || column === 4;
			return isName ? cell.padEnd(width) : cell.padStart(width);
		})
		.join("  ")
		.trimEnd();
}
