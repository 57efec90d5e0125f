const OTHERS = 2;

/** What stands still together: one that always does, and the next of the others, so that seeds in a row reach all. */
export function frozenTogether<Name>(
	names: readonly Name[],
	always: Name,
	seed: number,
): Name[] {
	const others = names.filter((name) => name !== always);
	const at = (nth: number) =>
		others.at((seed * OTHERS + nth) % others.length) as Name;
	return [always, ...Array.from({ length: OTHERS }, (_, nth) => at(nth))];
}
