/** A repeatable stream of numbers within [0, 1). */
export function numbersFrom(seed: number): () => number {
	let state = seed + 1;
	const next = () => {
		state = (state * 48_271) % 2_147_483_647;
		return state / 2_147_483_647;
	};
	next();
	return next;
}
