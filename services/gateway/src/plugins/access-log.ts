import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	onResponseHookHandler,
} from "fastify";
import type { Context } from "../context.ts";

/** Stands for the status of a response that nobody was there to receive, as with many proxies. */
const CLIENT_GONE = 499;

/** Writes what became of one request. */
type LogRequest = (
	request: FastifyRequest,
	reply: FastifyReply,
	status: number,
) => void;

/** One line and two measurements for each request of a route. Never keys, bodies or queries. */
export function createAccessLog(
	{ telemetry, log }: Pick<Context, "telemetry" | "log">,
	route: string,
	method: string,
): LogRequest {
	// The line has these fields and no others: looking for secrets in it would cost three times the line.
	const plainLog = log.child({}, { redact: [] });
	const time = telemetry.requestSeconds.labels(route, method);
	return ({ id: requestId, caller }, reply, status) => {
		const ms = Math.round(reply.elapsedTime * 10) / 10;
		telemetry.requests.inc({ route, method, status });
		time.observe(reply.elapsedTime / 1_000);
		plainLog.info(
			{
				requestId,
				organizationId: caller?.organizationId,
				...{ route, method, status, ms },
			},
			"request",
		);
	};
}

/** The access log as hooks of one route: the framework calls onResponse for responses that were sent, for no others. */
export function logAccess(
	ctx: Context,
	route: string,
	method: string,
): {
	/** Comes first: it also sees requests whose clients hang up before the response. */
	readonly onRequest: onRequestHookHandler;
	readonly onResponse: onResponseHookHandler;
} {
	const log = createAccessLog(ctx, route, method);
	return {
		onRequest: (request, reply, done) => {
			reply.raw.once("close", () => {
				if (!reply.raw.writableFinished) log(request, reply, CLIENT_GONE);
			});
			done();
		},
		onResponse: (request, reply, done) => {
			log(request, reply, reply.statusCode);
			done();
		},
	};
}
