import { performance } from "node:perf_hooks";
import {
	Counter,
	Gauge,
	Histogram,
	Registry,
	type RegistryContentType,
} from "prom-client";

/** The metrics of one process. Label values must come from small closed sets. */
export interface Metrics {
	/** Holds them; {@link writeMetrics} writes them. */
	readonly registry: Registry<RegistryContentType>;
	readonly service: string;
	/** Series of known labels are there, as 0, before the first event: a rate knows it, and a panel is not empty. */
	counter(name: string, help: string, labels?: Labels): Counter;
	/** `collect` sets it whenever the metrics are read. */
	gauge(
		name: string,
		help: string,
		labels?: readonly string[],
		collect?: (gauge: Gauge) => void,
	): Gauge;
	/** Of seconds, in buckets up to 10 s unless others are given. */
	histogram(
		name: string,
		help: string,
		labels?: readonly string[],
		buckets?: readonly number[],
	): Histogram;
	/** A histogram whose buckets name a trace each: `observe` takes one object, `labels().observe` names none. */
	tracedHistogram(
		name: string,
		help: string,
		labels: readonly string[],
	): Histogram;
}

/** Names of labels, or one name with the values that are known. */
type Labels = readonly string[] | Readonly<Record<string, readonly string[]>>;

const DURATION_BUCKETS_S = [
	0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10,
];

export function createMetrics(service: string): Metrics {
	const registry = new Registry<RegistryContentType>();
	registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);

	function once<T>(name: string, make: () => T): T {
		return (registry.getSingleMetric(name) as T | undefined) ?? make();
	}

	const common = (name: string, help: string, labels: readonly string[]) => ({
		name,
		help,
		labelNames: [...labels],
		registers: [registry],
	});

	const histogram = (
		options: ReturnType<typeof common>,
		buckets = DURATION_BUCKETS_S,
		enableExemplars = false,
	) =>
		once(
			options.name,
			() => new Histogram({ ...options, buckets, enableExemplars }),
		);

	return {
		registry,
		service,
		counter: (name, help, labels = []) =>
			once(name, () => {
				const names = labelNames(labels);
				const counter = new Counter(common(name, help, names));
				for (const [label, values] of knownValues(labels))
					for (const value of values) counter.inc({ [label]: value }, 0);
				return counter;
			}),
		gauge: (name, help, labels = [], collect) =>
			once(name, () => {
				const gauge: Gauge = new Gauge({
					...common(name, help, labels),
					...(collect && { collect: () => collect(gauge) }),
				});
				return gauge;
			}),
		histogram: (name, help, labels = [], buckets = DURATION_BUCKETS_S) =>
			histogram(common(name, help, labels), [...buckets]),
		tracedHistogram: (name, help, labels) =>
			histogram(common(name, help, labels), undefined, true),
	};
}

function labelNames(labels: Labels): readonly string[] {
	return isNames(labels) ? labels : Object.keys(labels);
}

function knownValues(labels: Labels): [string, readonly string[]][] {
	return isNames(labels) ? [] : Object.entries(labels);
}

function isNames(labels: Labels): labels is readonly string[] {
	return Array.isArray(labels);
}

/** As a scraper asks for them by its Accept header: OpenMetrics, which has exemplars, or Prometheus' own text. */
export async function writeMetrics(
	metrics: Metrics,
	accept = "",
): Promise<{ readonly contentType: string; readonly text: string }> {
	const view = viewOf(metrics, accept.includes("application/openmetrics-text"));
	return { contentType: view.contentType, text: await view.metrics() };
}

/** The library renames counters for good when it writes OpenMetrics. */
function viewOf({ registry, service }: Metrics, isOpen: boolean) {
	const view = new Registry<RegistryContentType>();
	if (isOpen) view.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
	view.setDefaultLabels({ service });
	for (const metric of registry.getMetricsAsArray())
		view.registerMetric(Object.create(metric));
	return view;
}

/** What the process itself takes; read when the metrics are. */
export function measureProcess(metrics: Metrics): void {
	metrics.gauge(
		"process_resident_memory_bytes",
		"Memory of the process.",
		[],
		(gauge) => gauge.set(process.memoryUsage.rss()),
	);
	metrics.gauge(
		"process_cpu_seconds",
		"CPU time that the process has used, all its threads together.",
		[],
		(gauge) => {
			const { user, system } = process.cpuUsage();
			gauge.set((user + system) / 1e6);
		},
	);
	let last = performance.eventLoopUtilization();
	metrics.gauge(
		"process_event_loop_utilization",
		"Share of the time since the last reading in which the event loop was busy, 0 to 1.",
		[],
		(gauge) => {
			const now = performance.eventLoopUtilization();
			gauge.set(performance.eventLoopUtilization(now, last).utilization);
			last = now;
		},
	);
}
