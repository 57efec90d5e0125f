import { type Span, type SpanContext, TraceFlags } from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";

/** As W3C Trace Context writes it; undefined without a span. */
export function traceparentOf(span: Span | undefined): string | undefined {
	if (span === undefined) return undefined;
	const { traceId, spanId, traceFlags } = span.spanContext();
	return `00-${traceId}-${spanId}-${traceFlags.toString(16).padStart(2, "0")}`;
}

/** What is stored with a row: undefined of a trace that is not recorded. */
export function sampledTraceparent(span: Span | undefined): string | undefined {
	const traceparent = traceparentOf(span);
	return traceparent && isSampled(traceparent) ? traceparent : undefined;
}

export function isSampled(traceparent: string): boolean {
	return isRecorded(toContext(traceparent));
}

export function isRecorded(context: SpanContext | undefined): boolean {
	return ((context?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

export function toContext(traceparent: string): SpanContext | undefined {
	const context = parseTraceParent(traceparent);
	return context === null ? undefined : { ...context, isRemote: true };
}
