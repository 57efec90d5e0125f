/** The same numbers again for the same seed. */
export interface Random {
	/** A whole number from `from` to `to`, both included. */
	between(from: number, to: number): number;
	pick<T>(items: readonly T[]): T;
	/** True in so many of a hundred cases. */
	chance(percent: number): boolean;
	shuffled<T>(items: readonly T[]): T[];
}

/** Mulberry32. */
export function randomFrom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const between = (from: number, to: number) =>
		from + Math.floor(next() * (to - from + 1));
	return {
		between,
		pick: <T>(items: readonly T[]) => items[between(0, items.length - 1)] as T,
		chance: (percent) => next() * 100 < percent,
		shuffled: (items) =>
			items
				.map((item) => ({ item, at: next() }))
				.sort((a, b) => a.at - b.at)
				.map(({ item }) => item),
	};
}
