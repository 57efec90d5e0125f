import type { DescMethod } from "@bufbuild/protobuf";
import {
	currentSpan,
	inSpan,
	SpanKind,
	startSpan,
	traceparentOf,
} from "./spans.ts";

export const TRACEPARENT_HEADER = "traceparent";

/** A call made within a span has one of its own, whose traceparent the server is told. */
export function traceCall<T>(
	method: DescMethod,
	call: (traceparent: string | undefined) => Promise<T>,
): Promise<T> {
	const parent = traceparentOf(currentSpan());
	if (parent === undefined) return call(undefined);
	const span = startSpan(`${method.parent.typeName}/${method.name}`, parent, {
		kind: SpanKind.CLIENT,
	});
	return inSpan(span, () => call(traceparentOf(span)));
}
