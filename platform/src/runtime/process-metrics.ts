import { performance } from "node:perf_hooks";
import type { Metrics } from "./metrics.ts";

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
