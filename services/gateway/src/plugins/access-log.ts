import { observeTraced } from "@airtower/platform/tracing/observe-traced";
import { withSpan } from "@airtower/platform/tracing/spans";
import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	onResponseHookHandler,
} from "fastify";
import type { Context } from "../context.ts";
import { documentedPath } from "../domain/route-path.ts";
import { isRefused } from "../request-log.ts";
import { errorTable } from "../schemas/errors.ts";
import { toRequestLine } from "./request-line.ts";
import { endTrace } from "./trace-requests.ts";

/** What stands for paths that no route has: they come from outside and have no end. */
export const UNKNOWN_ROUTE = "unknown";

/** Stands for the status of a response that nobody was there to receive, as with many proxies. */
const CLIENT_GONE = 499;

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
