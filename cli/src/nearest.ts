/** Share of a word that may differ from the one that was meant. */
const MAX_DIFFERENCE = 0.5;

/** The candidate that a mistyped word most likely means; undefined when none is near. */
export function nearest(
	word: string,
	candidates: readonly string[],
): string | undefined {
	const [best] = candidates
		.map((candidate) => ({ candidate, distance: distanceOf(word, candidate) }))
		.sort((one, other) => one.distance - other.distance);
	const allowed = Math.max(2, Math.floor(word.length * MAX_DIFFERENCE));
	return best !== undefined && best.distance <= allowed
		? best.candidate
		: undefined;
}

/** Levenshtein distance: letters to add, remove or replace. */
function distanceOf(from: string, to: string): number {
	let row = Array.from({ length: to.length + 1 }, (_, column) => column);
	for (let line = 1; line <= from.length; line++) {
		const next = [line];
		for (let column = 1; column <= to.length; column++) {
			const replaced =
				(row[column - 1] ?? 0) + (from[line - 1] === to[column - 1] ? 0 : 1);
			const added = (next[column - 1] ?? 0) + 1;
			next.push(Math.min(replaced, added, (row[column] ?? 0) + 1));
		}
		row = next;
	}
	return row[to.length] ?? 0;
}
