/** PromQL by legend; the queries of one panel share its unit. */
export interface Panel {
	readonly title: string;
	/** As Grafana names it: "reqps", "s", "percentunit", "short". */
	readonly unit: string;
	readonly queries: Readonly<Record<string, string>>;
}

export interface Dashboard {
	readonly name: string;
	readonly panels: readonly Panel[];
}

export function panel(
	title: string,
	unit: string,
	queries: Readonly<Record<string, string>>,
): Panel {
	return { title, unit, queries };
}

/** Of a counter, a second, with what it is summed by. */
export function rate(counter: string, by?: string): string {
	return `sum ${by === undefined ? "" : `by (${by}) `}(rate(${counter}[$__rate_interval]))`;
}

/** The times that half and 99 % of a histogram's observations stay below, for each value of the label. */
export function times(histogram: string, selector = "", by = "") {
	const labels = ["le", ...(by === "" ? [] : [by])].join(", ");
	const buckets = `sum by (${labels}) (rate(${histogram}_bucket${selector}[$__rate_interval]))`;
	const name = by === "" ? "" : ` {{${by}}}`;
	return {
		[`p50${name}`]: `histogram_quantile(0.5, ${buckets})`,
		[`p99${name}`]: `histogram_quantile(0.99, ${buckets})`,
	};
}
