import type { Histogram } from "prom-client";
import { type Span, traceIds } from "./spans.ts";

/** Observes seconds, and names the trace that they are of where one is recorded. */
export function observeTraced(
	histogram: Histogram,
	labels: Readonly<Record<string, string>>,
	value: number,
	span: Span | undefined,
): void {
	const exemplarLabels = span && traceIds(span);
	histogram.observe({
		labels,
		value,
		...(exemplarLabels && { exemplarLabels }),
	});
}
