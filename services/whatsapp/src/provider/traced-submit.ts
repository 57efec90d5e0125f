import {
	continueSpan,
	currentSpan,
	endSpan,
	SpanKind,
} from "@airtower/platform/tracing/spans";
import { traceparentOf } from "@airtower/platform/tracing/traceparent";
import type { SubmitResult } from "../domain/submit-result.ts";
import type { OutgoingMessage, Provider } from "./provider.ts";

/** With a span of its own, within that of its dispatch. No header tells the provider of it. */
export async function tracedSubmit(
	provider: Provider,
	message: OutgoingMessage,
	mayWrite: () => boolean,
): Promise<SubmitResult> {
	const span = continueSpan("cloud api POST", traceparentOf(currentSpan()), {
		kind: SpanKind.CLIENT,
	});
	const result = await provider.submit(message, mayWrite);
	if (result.kind === "refused")
		span?.setAttribute("http.response.status_code", result.httpStatus);
	endSpan(span, result.kind === "taken" ? undefined : result.kind);
	return result;
}
