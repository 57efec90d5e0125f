import {
	endSpan,
	type Span,
	SpanKind,
	startSpan,
} from "@airtower/platform/tracing/spans";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import { statusText } from "../domain/smpp-status.ts";
import type { SmppRoute } from "./route/smpp-route.ts";
import type { Response } from "./session/pending-requests.ts";

/** Within that of the dispatch; none where that is not traced. */
export function startSubmitSpan(
	dispatch: Span | undefined,
	{ code }: SmppRoute,
): Span | undefined {
	if (dispatch === undefined) return undefined;
	return startSpan("smpp submit_sm", traceparentOf(dispatch), {
		kind: SpanKind.CLIENT,
		attributes: { route: code },
	});
}

export function endSubmitSpan(span: Span, response: Response): void {
	if (response.kind !== "responded") {
		endSpan(span, response.kind);
		return;
	}
	const { status } = response.pdu;
	span.setAttribute("smpp.command_status", status);
	endSpan(span, status === 0 ? undefined : statusText(status));
}
