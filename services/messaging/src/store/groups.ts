/*
 * Statements on these tables name their rows by one list of ids (`= any (list)`). Joined to a list of several
 * columns, a table is read whole, and each of its rows looked up in the list, whenever the planner believes that
 * few of its rows are in the wanted state: that was so when statistics were taken, or the table was empty.
 */

/** Items that share values, with these values. */
export interface Group<Item, Shared> {
	readonly shared: Shared;
	readonly items: readonly Item[];
}

/** Groups items by the values that they share: a statement for each group needs no list beside the ids. */
export function groupAlike<
	Item,
	Shared extends Readonly<Record<string, string | number | boolean | null>>,
>(
	items: readonly Item[],
	sharedOf: (item: Item) => Shared,
): Group<Item, Shared>[] {
	const groups = new Map<string, { shared: Shared; items: Item[] }>();
	for (const item of items) {
		const shared = sharedOf(item);
		const key = JSON.stringify(shared);
		const group = groups.get(key);
		if (group === undefined) groups.set(key, { shared, items: [item] });
		else group.items.push(item);
	}
	return [...groups.values()];
}
