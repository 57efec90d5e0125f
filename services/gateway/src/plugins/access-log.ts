import type {
	FastifyReply,
	FastifyRequest,
	onRequestHookHandler,
	onResponseHookHandler,
} from "fastify";
import type { Context } from "../context.ts";

/** Stands for the status of a response that nobody was there to receive, as with many proxies. */
const CLIENT_GONE = 499;

interface Exchange {
	readonly requestId: string;
	readonly organizationId: string | undefined;
	readonly status: number;
	readonly ms: number;
}

/**
 * One line and two measurements for each response of a route. Never keys, bodies or queries.
 * Counters are looked up once per status, not once per request.
 */
export function createAccessLog(
	ctx: Context,
	route: string,
	method: string,
): (exchange: Exchange) => void {
	const { requests, requestSeconds } = ctx.telemetry;
	// The line has these fields and no others: looking for secrets in it would cost three times the line.
	const log = ctx.log.child({}, { redact: [] });
	const time = requestSeconds.labels(route, method);
	const counts = new Map<number, { inc(): void }>();
	return ({ requestId, organizationId, status, ms }) => {
		let count = counts.get(status);
		if (count === undefined) {
			count = requests.labels(route, method, String(status));
			counts.set(status, count);
		}
		count.inc();
		time.observe(ms / 1_000);
		log.info(
			{
				requestId,
				organizationId,
				route,
				method,
				status,
				ms: Math.round(ms * 10) / 10,
			},
			"request",
		);
	};
}

/** The access log as hooks of one route. */
export interface AccessLogHooks {
	/** Comes first: it also sees requests whose clients hang up before the response. */
	readonly onRequest: onRequestHookHandler;
	readonly onResponse: onResponseHookHandler;
}

/** The framework calls onResponse for responses that were sent, and nothing for others. */
export function logAccess(
	ctx: Context,
	route: string,
	method: string,
): AccessLogHooks {
	const log = createAccessLog(ctx, route, method);
	const write = (
		request: FastifyRequest,
		reply: FastifyReply,
		status: number,
	) =>
		log({
			requestId: request.id,
			organizationId: request.caller?.organizationId,
			status,
			ms: reply.elapsedTime,
		});
	return {
		onRequest: (request, reply, done) => {
			reply.raw.once("close", () => {
				if (!reply.raw.writableFinished) write(request, reply, CLIENT_GONE);
			});
			done();
		},
		onResponse: (request, reply, done) => {
			write(request, reply, reply.statusCode);
			done();
		},
	};
}
