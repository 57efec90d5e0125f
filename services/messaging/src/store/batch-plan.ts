import type { Tx } from "@airtower/platform/database";

/**
 * Makes this transaction join its batches to tables by one index probe for each row. The planner
 * otherwise reads a whole partition, again and again, when it takes it for small: its figures are
 * old by the time they matter, and the cost would grow with every stored message.
 */
export async function joinByIndex(sql: Tx): Promise<void> {
	await sql.unsafe(`
		set local enable_hashjoin = off;
		set local enable_mergejoin = off;
		set local enable_seqscan = off;
		set local enable_bitmapscan = off;
		set local enable_material = off;
	`);
}

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
