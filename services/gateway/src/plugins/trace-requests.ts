import {
	endSpan,
	type Span,
	SpanKind,
	startSpan,
	withSpan,
} from "@airtower/platform/tracing/spans";
import type { onRequestHookHandler, preHandlerHookHandler } from "fastify";

declare module "fastify" {
	interface FastifyRequest {
		/** Undefined while tracing is off. */
		span: Span | undefined;
	}
}

/** Begins a trace: what a stranger's `traceparent` says would decide which of our traces are kept. */
export function beginTrace(
	route: string,
	method: string,
): onRequestHookHandler {
	return (request, _reply, done) => {
		request.span = startSpan(`${method} ${route}`, undefined, {
			kind: SpanKind.SERVER,
			attributes: { "http.route": route, "http.request.method": method },
		});
		withSpan(request.span, done);
	};
}

/** Once more before the handler: reading a body ends the context of what came before. */
export const carryTrace: preHandlerHookHandler = (request, _reply, done) =>
	withSpan(request.span, done);

export function endTrace(span: Span, status: number): void {
	span.setAttribute("http.response.status_code", status);
	endSpan(span, status >= 500 ? status : undefined);
}
