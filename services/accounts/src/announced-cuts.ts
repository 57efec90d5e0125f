/** Cuts of the ledger that this process has announced, each with its time by the process's own monotonic clock. */
export interface AnnouncedCuts {
	add(cut: Date): void;
	/** The latest cut that was announced so long ago; those before it are forgotten. */
	findOlderThan(ageMs: number): Date | undefined;
}

/** @param now a clock that never goes back, ms */
export function createAnnouncedCuts(
	now: () => number = () => performance.now(),
): AnnouncedCuts {
	let announced: { readonly cut: Date; readonly at: number }[] = [];
	return {
		add: (cut) => {
			announced.push({ cut, at: now() });
		},
		findOlderThan(ageMs) {
			const latest = announced.findLast(({ at }) => now() - at >= ageMs);
			if (latest !== undefined)
				announced = announced.slice(announced.indexOf(latest));
			return latest?.cut;
		},
	};
}
