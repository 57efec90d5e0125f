import { Counter, Gauge, Histogram, Registry } from "prom-client";

/** The metrics of one process. Label values must come from small closed sets. */
export interface Metrics {
	readonly registry: Registry;
	counter(name: string, help: string, labels?: readonly string[]): Counter;
	gauge(name: string, help: string, labels?: readonly string[]): Gauge;
	histogram(name: string, help: string, labels?: readonly string[]): Histogram;
}

const DURATION_BUCKETS_S = [
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function createMetrics(service: string): Metrics {
	const registry = new Registry();
	registry.setDefaultLabels({ service });

	function once<T>(name: string, make: () => T): T {
		return (registry.getSingleMetric(name) as T | undefined) ?? make();
	}

	const common = (name: string, help: string, labels: readonly string[]) => ({
		name,
		help,
		labelNames: [...labels],
		registers: [registry],
	});

	return {
		registry,
		counter: (name, help, labels = []) =>
			once(name, () => new Counter(common(name, help, labels))),
		gauge: (name, help, labels = []) =>
			once(name, () => new Gauge(common(name, help, labels))),
		histogram: (name, help, labels = []) => {
			const options = common(name, help, labels);
			const buckets = DURATION_BUCKETS_S;
			return once(name, () => new Histogram({ ...options, buckets }));
		},
	};
}
