/** Shortest time between two messages of this process for one route in trial, ms. */
const TRY_EVERY_MS = 1_000;

/** Returns whether a route in trial may have a message now; one that may counts as given. */
export function createTrials(): (route: string) => boolean {
	const triedAt = new Map<string, number>();
	return (route) => {
		const now = performance.now();
		const before = triedAt.get(route) ?? Number.NEGATIVE_INFINITY;
		if (now - before < TRY_EVERY_MS) return false;
		triedAt.set(route, now);
		return true;
	};
}
