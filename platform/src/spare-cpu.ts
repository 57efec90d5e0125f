import { cpus } from "node:os";

/** Shortest stretch that is measured, ms. */
const STRETCH_MS = 250;

/**
 * Measures how much of this machine's CPU time was idle, in [0, 1]: the answered function, called as
 * often as one likes, tells it once for each stretch of at least a quarter of a second.
 */
export function spareCpu(onStretch: (idle: number) => void): () => void {
	let last = cpuTimes();
	let lastAt = performance.now();
	return () => {
		const now = performance.now();
		if (now - lastAt < STRETCH_MS) return;
		const times = cpuTimes();
		const total = times.total - last.total;
		if (total > 0) onStretch((times.idle - last.idle) / total);
		last = times;
		lastAt = now;
	};
}

function cpuTimes(): { readonly idle: number; readonly total: number } {
	let idle = 0;
	let total = 0;
	for (const { times } of cpus()) {
		idle += times.idle;
		total += times.user + times.nice + times.sys + times.idle + times.irq;
	}
	return { idle, total };
}
