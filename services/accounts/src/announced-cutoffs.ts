/** Cutoffs of the ledger that this process has announced, each with its time by the process's own monotonic clock. */
export interface AnnouncedCutoffs {
	add(cutoff: Date): void;
	/** The latest cutoff that was announced so long ago; those before it are forgotten. */
	findOlderThan(ageMs: number): Date | undefined;
}

/** @param now a clock that never goes back, ms */
export function createAnnouncedCutoffs(
	now: () => number = () => performance.now(),
): AnnouncedCutoffs {
	let announced: { readonly cutoff: Date; readonly at: number }[] = [];
	return {
		add: (cutoff) => {
			announced.push({ cutoff, at: now() });
		},
		findOlderThan(ageMs) {
			const latest = announced.findLast(({ at }) => now() - at >= ageMs);
			if (latest !== undefined)
				announced = announced.slice(announced.indexOf(latest));
			return latest?.cutoff;
		},
	};
}
