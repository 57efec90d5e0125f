import { AsyncLocalStorage } from "node:async_hooks";
import {
	type Attributes,
	ROOT_CONTEXT,
	type Span,
	type SpanContext,
	SpanKind,
	SpanStatusCode,
	TraceFlags,
	type Tracer,
	trace,
} from "@opentelemetry/api";
import { parseTraceParent } from "@opentelemetry/core";

export { type Attributes, type Span, SpanKind };

interface SpanOptions {
	readonly kind?: SpanKind;
	readonly attributes?: Attributes;
	/** Contexts of other spans that this one works for, as `traceparent`s. */
	readonly links?: readonly string[];
	/** Milliseconds since the epoch; now by default. */
	readonly startTime?: number;
}

let tracer: Tracer | undefined;

const current = new AsyncLocalStorage<Span>();

/** Undefined switches tracing off: then no function of this file makes anything. */
export function setTracer(next: Tracer | undefined): void {
	tracer = next;
}

export function isTracing(): boolean {
	return tracer !== undefined;
}

/** Begins a trace, or goes on with that of a `traceparent`; undefined while tracing is off. */
export function startSpan(
	name: string,
	parent: string | undefined,
	options: SpanOptions = {},
): Span | undefined {
	if (tracer === undefined) return undefined;
	const { links = [], ...others } = options;
	const from = parent === undefined ? undefined : toContext(parent);
	return tracer.startSpan(
		name,
		{
			...others,
			links: links.flatMap((link) => {
				const context = toContext(link);
				return context === undefined ? [] : [{ context }];
			}),
		},
		from === undefined
			? ROOT_CONTEXT
			: trace.setSpanContext(ROOT_CONTEXT, from),
	);
}

/** Goes on with a trace; undefined where there is none. */
export function continueSpan(
	name: string,
	parent: string | null | undefined,
	options?: SpanOptions,
): Span | undefined {
	return parent ? startSpan(name, parent, options) : undefined;
}

/**
 * Of work done for several traces together: it goes on with the first. Each of the others has a span that says so, and
 * the two link to each other: from any of the traces one step leads to what was done for all.
 */
export function startBatchSpan(
	name: string,
	parents: readonly (string | null | undefined)[],
	options: SpanOptions = {},
): Span | undefined {
	if (tracer === undefined) return undefined;
	const given = parents.filter((parent) => typeof parent === "string");
	const sampled = given.filter(isSampled);
	const [first = given[0], ...others] = sampled;
	const batch = continueSpan(name, first, options);
	const carrier = traceparentOf(batch);
	if (batch === undefined || carrier === undefined || !isSampled(carrier))
		return batch;
	for (const parent of others) {
		const member = continueSpan(`joined ${name}`, parent, {
			...(options.kind !== undefined && { kind: options.kind }),
			links: [carrier],
		});
		if (member === undefined) continue;
		batch.addLink({ context: member.spanContext() });
		member.end();
	}
	return batch;
}

/** Runs work within a span and ends the span with it. */
export async function inSpan<T>(
	span: Span | undefined,
	work: () => Promise<T>,
): Promise<T> {
	if (span === undefined) return work();
	try {
		const result = await current.run(span, work);
		span.end();
		return result;
	} catch (error) {
		endSpan(span, error);
		throw error;
	}
}

/** Runs work within a span that somebody else ends. */
export function withSpan<T>(span: Span | undefined, work: () => T): T {
	return span === undefined ? work() : current.run(span, work);
}

export function currentSpan(): Span | undefined {
	return tracer === undefined ? undefined : current.getStore();
}

/** Its error is told by its class alone: messages of errors may quote what must not leave the service. */
export function endSpan(span: Span | undefined, error?: unknown): void {
	if (span === undefined) return;
	if (error !== undefined) {
		const message = error instanceof Error ? error.name : String(error);
		span.setStatus({ code: SpanStatusCode.ERROR, message });
	}
	span.end();
}

/** For log lines and exemplars; undefined of a trace that is not recorded. */
export function traceIds(
	span = currentSpan(),
): { readonly trace_id: string; readonly span_id: string } | undefined {
	const context = span?.spanContext();
	return context !== undefined && isRecorded(context)
		? { trace_id: context.traceId, span_id: context.spanId }
		: undefined;
}

/**
 * What is stored with a row, so that its trace goes on: the given one of its request, or one of its own that begins
 * with a span of this name and has a link to the call that brought many. Undefined for one that is not traced.
 */
export function toStoredTrace(name: string, given: string): string | undefined {
	if (!isTracing()) return undefined;
	if (given !== "") return isSampled(given) ? given : undefined;
	const call = traceparentOf(currentSpan());
	const span = startSpan(name, undefined, {
		links: call === undefined ? [] : [call],
	});
	span?.end();
	return sampledTraceparent(span);
}

/** Adds a span for something that happened to a row; its trace goes on from there. */
export function traceStep(
	name: string,
	stored: string,
	attributes: Attributes,
): string {
	const kind = SpanKind.CONSUMER;
	const span = continueSpan(name, stored, { kind, attributes });
	span?.end();
	return sampledTraceparent(span) ?? stored;
}

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

function isSampled(traceparent: string): boolean {
	return isRecorded(toContext(traceparent));
}

function isRecorded(context: SpanContext | undefined): boolean {
	return ((context?.traceFlags ?? 0) & TraceFlags.SAMPLED) !== 0;
}

function toContext(traceparent: string): SpanContext | undefined {
	const context = parseTraceParent(traceparent);
	return context === null ? undefined : { ...context, isRemote: true };
}
