import {
	Code,
	ConnectError,
	createContextKey,
	type HandlerContext,
} from "@connectrpc/connect";
import { codeToString } from "@connectrpc/connect/protocol-connect";
import { uuidv7 } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { isStandardMethod } from "./access.ts";
import { callerKey } from "./caller.ts";

export const REQUEST_ID_HEADER = "x-request-id";
const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/;

/** One served call, from its headers to its last byte. */
interface CallRecord {
	readonly requestId: string;
	/** True once the handler has returned without an error. */
	succeeded: boolean;
}

export const callRecordKey = createContextKey<CallRecord | undefined>(
	undefined,
	{ description: "call record" },
);

/** Codes that are logged as errors. */
const ALARMING: ReadonlySet<Code> = new Set([
	Code.Internal,
	Code.Unknown,
	Code.DataLoss,
]);

/**
 * Gives every call its request id and, when it ends, one log line and its metrics. The call's signal
 * tells the end, so that calls refused before their body was read are counted too.
 */
export function createCallObserver(
	log: Logger,
	metrics: Metrics,
): (context: HandlerContext) => void {
	const calls = metrics.counter(
		"rpc_server_calls_total",
		"Calls served, by method and result code.",
		["method", "code"],
	);
	const durations = metrics.histogram(
		"rpc_server_duration_seconds",
		"Time from the headers of a call to its end.",
		["method"],
	);
	const inFlight = metrics.gauge(
		"rpc_server_calls_in_flight",
		"Calls being served.",
	);

	return (context) => {
		const startedAt = performance.now();
		const record = { requestId: findRequestId(context), succeeded: false };
		context.values.set(callRecordKey, record);
		context.responseHeader.set(REQUEST_ID_HEADER, record.requestId);
		inFlight.inc();
		onceAborted(context.signal, () => {
			const seconds = (performance.now() - startedAt) / 1_000;
			const failure = findFailure(context.signal.reason, record.succeeded);
			const method = methodName(context);
			const code = failure === undefined ? "ok" : codeToString(failure.code);
			inFlight.dec();
			calls.inc({ method, code });
			durations.observe({ method }, seconds);
			writeLine(log, context, failure, {
				requestId: record.requestId,
				method,
				code,
				durationMs: Math.round(seconds * 1e6) / 1e3,
				protocol: context.protocolName,
				caller: context.values.get(callerKey)?.issuer,
			});
		});
	};
}

function findRequestId(context: HandlerContext): string {
	const given = context.requestHeader.get(REQUEST_ID_HEADER);
	return given !== null && REQUEST_ID.test(given) ? given : uuidv7();
}

function methodName({ method }: HandlerContext): string {
	return `${method.parent.typeName}/${method.name}`;
}

/** A call's signal is aborted in any case: with its error, or without a reason when it succeeded. */
function findFailure(
	reason: unknown,
	succeeded: boolean,
): ConnectError | undefined {
	const gone = new ConnectError("the caller went away", Code.Canceled);
	if (isReset(reason)) return gone;
	if (reason instanceof ConnectError) return reason;
	const withoutReason =
		reason instanceof DOMException && reason.name === "AbortError";
	if (withoutReason) return succeeded ? undefined : gone;
	return new ConnectError(
		"internal error",
		Code.Internal,
		undefined,
		undefined,
		reason,
	);
}

/** True for a stream that the caller reset, with whatever code: connect-es uses INTERNAL_ERROR at its own deadline. */
function isReset(reason: unknown): boolean {
	return (
		reason instanceof ConnectError &&
		reason.rawMessage.startsWith("http/2 stream closed with error code")
	);
}

function writeLine(
	log: Logger,
	context: HandlerContext,
	failure: ConnectError | undefined,
	fields: Record<string, unknown>,
): void {
	if (failure === undefined) {
		const level = isStandardMethod(context.method) ? "debug" : "info";
		log[level](fields, "rpc");
	} else if (ALARMING.has(failure.code)) {
		log.error({ ...fields, err: failure.cause ?? failure }, "rpc failed");
	} else {
		const { rawMessage: refusal, cause } = failure;
		const why = cause instanceof Error ? { cause: cause.message } : {};
		log.info({ ...fields, refusal, ...why }, "rpc refused");
	}
}

function onceAborted(signal: AbortSignal, work: () => void): void {
	if (signal.aborted) work();
	else signal.addEventListener("abort", work, { once: true });
}
