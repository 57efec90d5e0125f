import type { Interceptor } from "@connectrpc/connect";
import { currentSpan, inSpan, SpanKind, startSpan } from "./spans.ts";
import { traceparentOf } from "./traceparent.ts";

export const TRACEPARENT_HEADER = "traceparent";

/** A call made within a span has one of its own, and tells it to the server. */
export const traceCalls: Interceptor = (next) => (req) => {
	const parent = traceparentOf(currentSpan());
	if (parent === undefined) return next(req);
	const { method, service } = req;
	const span = startSpan(`${service.typeName}/${method.name}`, parent, {
		kind: SpanKind.CLIENT,
	});
	const own = traceparentOf(span);
	if (own !== undefined) req.header.set(TRACEPARENT_HEADER, own);
	return inSpan(span, () => next(req));
};
