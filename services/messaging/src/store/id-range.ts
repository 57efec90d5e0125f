export interface IdRange {
	readonly first: string;
	readonly last: string;
}

/** The lowest and the highest id of a batch, which tell the planner its partitions. */
export function idRange(ids: readonly string[]): IdRange {
	let first = ids[0] ?? "";
	let last = first;
	for (const id of ids) {
		if (id < first) first = id;
		else if (id > last) last = id;
	}
	return { first, last };
}
