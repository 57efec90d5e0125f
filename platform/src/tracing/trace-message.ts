import {
	type Attributes,
	continueSpan,
	currentSpan,
	isTracing,
	type Span,
	SpanKind,
	startSpan,
} from "./spans.ts";
import { isSampled, sampledTraceparent, traceparentOf } from "./traceparent.ts";

/**
 * What is stored with a message, so that its trace goes on: that of its request, or one of its own, with a link to the
 * call that brought many.
 */
export function toMessageTrace(given: string): string | undefined {
	if (!isTracing()) return undefined;
	if (given !== "") return isSampled(given) ? given : undefined;
	const call = traceparentOf(currentSpan());
	const span = startSpan("accept message", undefined, {
		links: call === undefined ? [] : [call],
	});
	span?.end();
	return sampledTraceparent(span);
}

/** Of one attempt to send a message; undefined for one that is not traced. */
export function startDispatchSpan(
	message: {
		readonly messageId: string;
		readonly attempt: number;
		readonly traceparent: string | null;
	},
	more: Attributes = {},
): Span | undefined {
	const { messageId, attempt, traceparent } = message;
	if (traceparent === null) return undefined;
	return continueSpan("dispatch", traceparent, {
		kind: SpanKind.CONSUMER,
		attributes: { "messaging.message.id": messageId, attempt, ...more },
	});
}

/** For the event of a message's end: it goes on from a span of its own, named after what ended the message. */
export function traceEnd(
	{ id, status }: { readonly id: string; readonly status: string },
	parent: string,
	cause: string,
): string {
	const span = continueSpan(cause, parent, {
		kind: SpanKind.CONSUMER,
		attributes: { "messaging.message.id": id, status },
	});
	span?.end();
	return sampledTraceparent(span) ?? parent;
}
