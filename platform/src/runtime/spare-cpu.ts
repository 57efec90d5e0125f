import { cpus } from "node:os";

/** Shortest stretch that is measured, ms. */
const STRETCH_MS = 250;

/**
 * A value that follows how much of this machine's CPU time was idle: the answered function, called as often
 * as one likes, reads it, and moves it on once for each stretch of at least a quarter of a second.
 * @param next the value after one, when so much was idle in the stretch, in [0, 1]
 */
export function followSpareCpu(
	first: number,
	next: (value: number, idle: number) => number,
): () => number {
	let value = first;
	let last = cpuTimes();
	let lastAt = performance.now();
	return () => {
		const now = performance.now();
		if (now - lastAt < STRETCH_MS) return value;
		const times = cpuTimes();
		const total = times.total - last.total;
		if (total > 0) value = next(value, (times.idle - last.idle) / total);
		last = times;
		lastAt = now;
		return value;
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
