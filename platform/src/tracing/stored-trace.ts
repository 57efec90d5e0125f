import {
	type Attributes,
	continueSpan,
	currentSpan,
	isTracing,
	SpanKind,
	startSpan,
} from "./spans.ts";
import { isSampled, sampledTraceparent, traceparentOf } from "./traceparent.ts";

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
