import { toTable } from "./table.ts";

/** One measured figure beside what it must reach: a time is to be low, all else high. */
export interface Figure {
	readonly name: string;
	readonly value: number;
	readonly unit: "ratio" | "/s" | "ms" | "cores";
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

/** The smallest value that at least `fraction` (0 to 1) of all values do not exceed; 0 of none. */
export function percentile(
	values: readonly number[],
	fraction: number,
): number {
	const sorted = Float64Array.from(values).sort();
	const rank = Math.max(1, Math.ceil(sorted.length * fraction));
	return sorted[rank - 1] ?? 0;
}

/** What was measured beside floor and aim, and whether they are reached. */
export function figureTable(figures: readonly Figure[]): string {
	const rows = figures.map((figure) => [
		figure.name,
		show(figure.value, figure.unit),
		show(figure.floor, figure.unit),
		show(figure.aim, figure.unit),
		judge(figure),
	]);
	const head = ["figure", "measured", "floor", "aim", ""];
	return toTable([head, ...rows], { wordsLast: true });
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
	if (unit === "cores") return value.toFixed(3);
	return `${Math.round(value).toLocaleString("en-US")}${unit === "ms" ? " ms" : unit}`;
}
