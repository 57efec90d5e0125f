/** The smallest value that at least `fraction` (0 to 1) of all values do not exceed; 0 of none. */
export function percentile(
	values: readonly number[],
	fraction: number,
): number {
	const sorted = Float64Array.from(values).sort();
	const rank = Math.max(1, Math.ceil(sorted.length * fraction));
	return sorted[rank - 1] ?? 0;
}
