import { expect, test } from "vitest";
import { createMetrics, writeMetrics } from "./metrics.ts";

const OPEN = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";

test("a scraper that asks for OpenMetrics gets exemplars, and the next one Prometheus' text as before", async () => {
	const metrics = createMetrics("test");
	metrics.counter("things_total", "Things.", ["kind"]).inc({ kind: "a" });
	const seconds = metrics.tracedHistogram("thing_seconds", "Time.", ["kind"]);
	seconds.labels("a").observe(0.2);
	seconds.observe({
		labels: { kind: "a" },
		value: 0.2,
		exemplarLabels: { trace_id: "4bf92f3577b34da6a3ce929d0e0e4736" },
	});
	const before = await writeMetrics(metrics);
	const open = await writeMetrics(metrics, OPEN);
	const after = await writeMetrics(metrics);

	expect(open.contentType).toContain("application/openmetrics-text");
	expect(open.text).toContain('things_total{kind="a",service="test"} 1');
	expect(open.text).toMatch(
		/thing_seconds_bucket\{.*\} 2 # \{trace_id="4bf92f3577b34da6a3ce929d0e0e4736"\} 0.2 /,
	);
	expect(open.text.endsWith("# EOF\n")).toBe(true);
	expect(after).toEqual(before);
	expect(after.text).toContain('things_total{kind="a",service="test"} 1');
	expect(after.text).not.toContain("trace_id");
});
