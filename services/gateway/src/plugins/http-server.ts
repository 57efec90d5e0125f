import { isUtf8 } from "node:buffer";
import fastify from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import { RefusalError } from "../errors.ts";
import type { App } from "../routes/routes.ts";
import { createClientErrors } from "./client-errors.ts";
import { createErrorHandler, sendRefusal } from "./errors.ts";
import { requestIdOf, requireHost, setCommonHeaders } from "./request-id.ts";
import { validatorCompiler } from "./validation.ts";

/** Largest body, bytes, unless a route says otherwise: the longest SMS in \u escapes takes a sixth. */
const BODY_LIMIT_BYTES = 65_536;
/** Largest request head, bytes. */
const MAX_HEADER_BYTES = 16_384;
/** Longest wait for a whole request, ms. */
const REQUEST_TIMEOUT_MS = 30_000;
/** Above every load balancer's own idle time, so that it is never us who closes first, ms. */
const KEEP_ALIVE_MS = 75_000;
/** Longest id in a path that is looked at, characters; longer ones are unknown. */
const MAX_PARAM_LENGTH = 500;

/** The HTTP server with its limits, one error shape on every layer, and no routes yet. */
export function createHttpServer(ctx: Context): App {
	const clientErrors = createClientErrors();
	const app = fastify({
		genReqId: requestIdOf,
		requestIdHeader: false,
		trustProxy:
			ctx.trustedProxies === undefined ? false : [...ctx.trustedProxies],
		bodyLimit: BODY_LIMIT_BYTES,
		requestTimeout: REQUEST_TIMEOUT_MS,
		keepAliveTimeout: KEEP_ALIVE_MS,
		return503OnClosing: false,
		routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
		http: {
			maxHeaderSize: MAX_HEADER_BYTES,
			requireHostHeader: false,
			// Of two authorizations neither counts; otherwise the server would drop the second unseen.
			joinDuplicateHeaders: true,
		},
		clientErrorHandler: clientErrors.respond,
		frameworkErrors: (error, request, reply) => {
			reply.header("x-request-id", request.id);
			const unknown = error.code === "FST_ERR_MAX_PARAM_LENGTH";
			sendRefusal(reply, { code: unknown ? "route_not_found" : "bad_request" });
		},
	}).withTypeProvider<ZodTypeProvider>();
	app.server.on("request", clientErrors.noteRequest);
	ignoreExpectations(app);
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(
		createErrorHandler({ log: ctx.log, isStopping: () => ctx.isDraining }),
	);
	acceptJsonOnly(app);
	app.addHook("onRequest", setCommonHeaders(ctx));
	app.addHook("onRequest", requireHost);
	return app;
}

/** An Expect other than 100-continue may be ignored (RFC 9110, 10.1.1); the server's own response has no request id. */
function ignoreExpectations({ server }: App): void {
	server.on("checkExpectation", (request, response) => {
		server.emit("request", request, response);
	});
}

const NOT_UTF8 = {
	code: "malformed_json",
	message: "The body is not UTF-8, as JSON is (RFC 8259, 8.1).",
} as const;

/** Leaves one parser, for JSON; a DELETE may announce a body and send none, as some clients do. */
function acceptJsonOnly(app: App): void {
	const parse = app.getDefaultJsonParser("error", "error");
	app.removeAllContentTypeParsers();
	app.addContentTypeParser<Buffer>(
		"application/json",
		{ parseAs: "buffer" },
		(request, octets, done) => {
			if (octets.length === 0 && request.method === "DELETE")
				done(null, undefined);
			else if (isUtf8(octets)) void parse(request, octets.toString(), done);
			else done(new RefusalError(NOT_UTF8));
		},
	);
}
