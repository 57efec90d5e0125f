/** Of some values, rounded: 0 of none. */
export function percentile(values: readonly number[], share: number): number {
	const sorted = [...values].sort((a, b) => a - b);
	const at = Math.ceil((share / 100) * sorted.length) - 1;
	return Math.round(sorted[Math.max(0, at)] ?? 0);
}
