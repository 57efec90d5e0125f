import {
	currentSpan,
	isSampled,
	isTracing,
	sampledTraceparent,
	startSpan,
	traceparentOf,
} from "@airtower/platform/tracing/spans";

/**
 * What is stored with a message, so that its trace goes on: that of its request, or one of its own, with a link to the
 * call that brought many.
 */
export function traceMessage(given: string): string | undefined {
	if (!isTracing()) return undefined;
	if (given !== "") return isSampled(given) ? given : undefined;
	const call = traceparentOf(currentSpan());
	const span = startSpan("accept message", undefined, {
		links: call === undefined ? [] : [call],
	});
	span?.end();
	return sampledTraceparent(span);
}
