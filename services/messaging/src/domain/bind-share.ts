/**
 * How many of a route's connections belong to one process: over all of them these add up to `binds`, and no two differ
 * by more than one. The processes that came first have the odd ones, so that a new one disturbs no more than it must.
 * @param index of the process among those that deliver, the oldest first, from 0
 */
export function bindShare(
	binds: number,
	index: number,
	processes: number,
): number {
	const odd = binds % processes;
	return Math.floor(binds / processes) + (index < odd ? 1 : 0);
}

/**
 * The part of a route's rate that comes with one of its connections, in whole segments a second: a fraction could not
 * be kept to within each single second. Over all connections these add up to `rate`.
 * @param slot the connection's number, from 0
 */
export function slotRate(rate: number, slot: number, binds: number): number {
	const upTo = (count: number) => Math.floor((rate * count) / binds);
	return upTo(slot + 1) - upTo(slot);
}
