import type { DescMethod, DescService } from "@bufbuild/protobuf";
import {
	createContextKey,
	type HandlerContext,
	type Interceptor,
} from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { toRequestId, withRequestId } from "../runtime/request-context.ts";
import { observeTraced } from "../tracing/observe-traced.ts";
import {
	endSpan,
	isTracing,
	type Span,
	SpanKind,
	startSpan,
	traceIds,
	withSpan,
} from "../tracing/spans.ts";
import { TRACEPARENT_HEADER } from "../tracing/trace-calls.ts";
import { findFailure, writeLine } from "./call-outcome.ts";
import { callerKey } from "./caller.ts";
import { isProbe } from "./standard/methods.ts";

export const REQUEST_ID_HEADER = "x-request-id";

interface CallRecord {
	readonly requestId: string;
	readonly span: Span | undefined;
	succeeded: boolean;
}

const callRecordKey = createContextKey<CallRecord | undefined>(undefined, {
	description: "call record",
});

/**
 * One log line and metrics a call, when its signal ends: so that calls refused before their body are counted too.
 * @param services whose methods have their series from the start
 */
export function createCallObserver(
	log: Logger,
	metrics: Metrics,
	services: readonly DescService[],
): (context: HandlerContext) => void {
	const calls = metrics.counter(
		"rpc_server_calls_total",
		"Calls served, by method and result code.",
		["method", "code"],
	);
	const durations = metrics.tracedHistogram(
		"rpc_server_duration_seconds",
		"Time from the headers of a call to its end.",
		["method"],
	);
	const inFlight = metrics.gauge(
		"rpc_server_calls_in_flight",
		"Calls being served.",
	);
	for (const method of services.flatMap(({ methods }) => methods)) {
		calls.inc({ method: methodName(method), code: "ok" }, 0);
		durations.zero({ method: methodName(method) });
	}

	return (context) => {
		const startedAt = performance.now();
		const span = startCallSpan(context);
		const requestId = toRequestId(context.requestHeader.get(REQUEST_ID_HEADER));
		const record = { requestId, span, succeeded: false };
		context.values.set(callRecordKey, record);
		context.responseHeader.set(REQUEST_ID_HEADER, record.requestId);
		inFlight.inc();
		onceAborted(context.signal, () => {
			const seconds = (performance.now() - startedAt) / 1_000;
			const failure = findFailure(context.signal.reason, record.succeeded);
			const method = methodName(context.method);
			const code = failure === undefined ? "ok" : codeToString(failure.code);
			inFlight.dec();
			calls.inc({ method, code });
			observeTraced(durations, { method }, seconds, span);
			endSpan(span, failure && code);
			writeLine(log, context, failure, {
				requestId,
				...traceIds(span),
				method,
				code,
				durationMs: Math.round(seconds * 1e6) / 1e3,
				protocol: context.protocolName,
				caller: context.values.get(callerKey)?.name,
			});
		});
	};
}

export const enterCall: Interceptor = (next) => async (req) => {
	const record = req.contextValues.get(callRecordKey);
	if (record === undefined) return next(req);
	const response = await withSpan(record.span, () =>
		withRequestId(record.requestId, () => next(req)),
	);
	record.succeeded = true;
	return response;
};

/** Probes have none: they would be most of all traces. */
function startCallSpan(context: HandlerContext): Span | undefined {
	if (!isTracing() || isProbe(context.method)) return undefined;
	const parent = context.requestHeader.get(TRACEPARENT_HEADER) ?? undefined;
	return startSpan(methodName(context.method), parent, {
		kind: SpanKind.SERVER,
	});
}

function methodName({ parent, name }: DescMethod): string {
	return `${parent.typeName}/${name}`;
}

function onceAborted(signal: AbortSignal, work: () => void): void {
	if (signal.aborted) work();
	else signal.addEventListener("abort", work, { once: true });
}
