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

/** What one process may send in a second; undefined without a limit. */
export interface RateShare {
	readonly perSecond: number | undefined;
	/** Of each sender. A fraction where there are more processes than a sender has segments: it is kept on average. */
	readonly perSender: number | undefined;
}

interface RouteRates {
	readonly rate: number | undefined;
	readonly senderRate: number | undefined;
	readonly binds: number;
}

/** The part of a route's rates that comes with these connections. */
export function rateShare(
	{ rate, senderRate, binds }: RouteRates,
	slots: readonly number[],
): RateShare {
	const sumOf = (whole: number) =>
		slots.reduce((sum, slot) => sum + slotRate(whole, slot, binds), 0);
	return {
		perSecond: rate === undefined ? undefined : sumOf(rate),
		perSender:
			senderRate === undefined
				? undefined
				: (senderRate * slots.length) / binds,
	};
}
