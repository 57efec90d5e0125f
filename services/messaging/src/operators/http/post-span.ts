import {
	endSpan,
	type Span,
	SpanKind,
	startSpan,
	traceparentOf,
} from "@airtower/platform/tracing/spans";
import type { Exchange } from "./http-client.ts";

/** Of one request, within the first dispatch of its messages that is traced; undefined where none is. */
export function startPostSpan(
	messages: readonly { readonly span: Span | undefined }[],
	route: string,
): Span | undefined {
	const parent = messages.find(({ span }) => span !== undefined)?.span;
	if (parent === undefined) return undefined;
	return startSpan("sms POST", traceparentOf(parent), {
		kind: SpanKind.CLIENT,
		attributes: { route },
	});
}

export function endPostSpan(span: Span | undefined, exchange: Exchange): void {
	if (exchange.kind !== "responded") {
		endSpan(span, exchange.kind);
		return;
	}
	span?.setAttribute("http.response.status_code", exchange.response.status);
	endSpan(span);
}
