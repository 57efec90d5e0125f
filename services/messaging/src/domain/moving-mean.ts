/** A mean of the latest values, with the number of values that it stands for. */
export interface Mean {
	readonly value: number;
	readonly count: number;
}

export const NO_MEAN: Mean = { value: 0, count: 0 };

/** Takes values in. @param most values that the mean stands for: beyond, new ones take the places of the oldest */
export function moveMean(
	mean: Mean,
	{ sum, count }: { readonly sum: number; readonly count: number },
	most: number,
): Mean {
	if (count === 0) return mean;
	const kept = Math.min(mean.count, Math.max(0, most - count));
	return {
		value: (mean.value * kept + sum) / (kept + count),
		count: kept + count,
	};
}
