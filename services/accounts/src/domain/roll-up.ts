/** A line of an organization's ledger. */
export interface Line {
	readonly id: string;
	readonly createdAt: Date;
	readonly kind: "usage" | "release" | "grant" | "adjustment";
	readonly channel: string | null;
	readonly units: number;
	/** Entries that it stands for; null for a line of its own. */
	readonly rolledUp: number | null;
}

/** Lines that follow one another and become one: the last, with the units of all, or none where they cancel out. */
export interface Roll<L extends Line> {
	readonly last: L;
	readonly units: number;
	readonly count: number;
	readonly others: readonly L[];
}

/**
 * Puts together what follows one another without a grant between, so that each line that is left has the balance it
 * had. Lines are an organization's, of one day, oldest first; what is rolled up already and alone is left as it is.
 */
export function rollUp<L extends Line>(lines: readonly L[]): Roll<L>[] {
	const runs: L[][] = [];
	let before: L | undefined;
	for (const line of lines) {
		if (isRollable(line)) {
			if (before?.channel === line.channel && isRollable(before))
				runs.at(-1)?.push(line);
			else runs.push([line]);
		}
		before = line;
	}
	return runs.flatMap(toRoll);
}

function isRollable({ kind }: Line): boolean {
	return kind === "usage" || kind === "release";
}

function toRoll<L extends Line>(run: readonly L[]): Roll<L>[] {
	const last = run.at(-1);
	if (last === undefined) return [];
	if (run.length === 1 && last.rolledUp !== null) return [];
	const units = run.reduce((sum, line) => sum + line.units, 0);
	const count = run.reduce((sum, line) => sum + (line.rolledUp ?? 1), 0);
	return [{ last, units, count, others: run.slice(0, -1) }];
}
