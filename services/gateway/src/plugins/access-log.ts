import { uuidv7 } from "@airtower/platform/runtime/ids";
import { observeTraced } from "@airtower/platform/tracing/observe-traced";
import { withSpan } from "@airtower/platform/tracing/spans";
import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	onResponseHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import { maskFields, maskPath, maskText } from "../domain/masked-request.ts";
import { documentedPath, withoutBase } from "../domain/route-path.ts";
import type { VerifiedKey } from "../domain/verified-key.ts";
import { isRefused, type RequestLine } from "../request-log.ts";
import { errorTable } from "../schemas/errors.ts";
import { endTrace } from "./trace-requests.ts";

/** What stands for paths that no route has: they come from outside and have no end. */
export const UNKNOWN_ROUTE = "unknown";

/** Stands for the status of a response that nobody was there to receive, as with many proxies. */
const CLIENT_GONE = 499;

/** Details of one refusal that are logged. */
const MAX_DETAILS = 20;

/** Statuses of faults that are ours: their rates are known from the first one on. */
const OWN_FAULTS = [
	...new Set(Object.values(errorTable).map(({ status }) => status)),
].filter((status) => status >= 500);

type LogRequest = (
	request: FastifyRequest,
	reply: FastifyReply,
	status: number,
) => void;

/**
 * One line and two measurements for each request of a route, never with keys, bodies or queries; and a line of the
 * organization's own log of requests.
 */
export function createAccessLog(
	{
		telemetry,
		log,
		nowMs,
		requestLog,
	}: Pick<Context, "telemetry" | "log" | "nowMs" | "requestLog">,
	route: string,
	method: string,
): LogRequest {
	// The line has these fields and no others: looking for secrets in it would cost three times the line.
	const plainLog = log.child({}, { redact: [] });
	const time = telemetry.requestSeconds.labels(route, method);
	telemetry.requestSeconds.zero({ route, method });
	for (const status of OWN_FAULTS)
		telemetry.requests.inc({ route, method, status }, 0);
	const documented = route === UNKNOWN_ROUTE ? null : documentedPath(route);
	return (request, { elapsedTime }, status) => {
		const { id: requestId, caller, span } = request;
		const ms = Math.round(elapsedTime * 10) / 10;
		const organizationId = caller?.organizationId;
		if (caller !== null) {
			const owner = {
				organizationId: caller.organizationId,
				refused: isRefused(status),
			};
			requestLog.add(owner, () => ({
				...toRequestLine(request, caller, { status, nowMs: nowMs() }),
				route: documented,
				durationMs: ms,
			}));
		}
		telemetry.requests.inc({ route, method, status });
		const line = { requestId, organizationId, route, method, status, ms };
		if (span === undefined) {
			time.observe(elapsedTime / 1_000);
			plainLog.info(line, "request");
			return;
		}
		const labels = { route, method };
		observeTraced(telemetry.requestSeconds, labels, elapsedTime / 1_000, span);
		withSpan(span, () => plainLog.info(line, "request"));
		endTrace(span, status);
	};
}

/** The access log as hooks of one route: the framework calls onResponse for responses that were sent, for no others. */
export function logAccess(ctx: Context, route: string, method: string) {
	const log = createAccessLog(ctx, route, method);
	/** Comes first: it also sees requests whose clients hang up before the response. */
	const onRequest: onRequestHookHandler = (request, reply, done) => {
		reply.raw.once("close", () => {
			if (!reply.raw.writableFinished) log(request, reply, CLIENT_GONE);
		});
		done();
	};
	const onResponse: onResponseHookHandler = (request, reply, done) => {
		log(request, reply, reply.statusCode);
		done();
	};
	return { onRequest, onResponse };
}

/** What is logged of one request, beside its route and duration. */
function toRequestLine(
	request: FastifyRequest,
	{ organizationId, apiKeyId, prefix }: VerifiedKey,
	{ status, nowMs }: { readonly status: number; readonly nowMs: number },
): Omit<RequestLine, "route" | "durationMs"> {
	const { refusal, url, method } = request;
	const details = refusal?.details?.slice(0, MAX_DETAILS) ?? [];
	return {
		organizationId,
		createdAt: new Date(nowMs),
		id: uuidv7(nowMs),
		requestId: maskText(request.id),
		method,
		path: maskPath(withoutBase(url.split("?", 1)[0] ?? "")),
		status,
		apiKeyId,
		apiKeyPrefix: prefix,
		errorCode: refusal?.code ?? null,
		details:
			refusal === undefined
				? null
				: details.map(({ field, code }) => ({ field: maskText(field), code })),
		request: isRefused(status)
			? { query: maskFields(request.query), body: maskFields(request.body) }
			: null,
	};
}
