/**
 * Does work that succeeds or fails for a batch as a whole. Where it returns undefined, because one of several items is
 * at fault, it is done with each half, until that item stands alone; with a single item it must return a result.
 * @returns the results in the order of the items
 */
export async function inHalves<I, R>(
	items: readonly I[],
	work: (items: readonly I[]) => Promise<readonly R[] | undefined>,
): Promise<R[]> {
	const results = await work(items);
	if (results !== undefined) return [...results];
	if (items.length < 2) throw new Error("One item has no halves.");
	const middle = Math.ceil(items.length / 2);
	const first = await inHalves(items.slice(0, middle), work);
	return [...first, ...(await inHalves(items.slice(middle), work))];
}
