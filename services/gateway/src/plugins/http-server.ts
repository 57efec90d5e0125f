import { createServer, type ServerOptions } from "node:http";
import fastify from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import type { App } from "../routes/routes.ts";
import { createClientErrors } from "./client-errors.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import { createErrorHandler, refuseUnroutable } from "./errors.ts";
import { acceptJsonOnly } from "./json-body.ts";
import {
	closeWhileDraining,
	requestIdOf,
	requireHost,
	setCommonHeaders,
} from "./request-id.ts";
import { validatorCompiler } from "./validation.ts";

/** Unless a route says otherwise; the longest SMS in \u escapes takes a sixth. */
const BODY_LIMIT_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
/** Above every load balancer's own idle time, so that it is never us who closes first. */
const KEEP_ALIVE_MS = 75_000;
/** A connection on which nothing moves for so long is closed: a client that does not read, for one; ms. */
const STALLED_MS = 40_000;
/** Longer ids in paths are unknown, characters. */
const MAX_PARAM_LENGTH = 500;

const HTTP_OPTIONS: ServerOptions = {
	maxHeaderSize: MAX_HEADER_BYTES,
	requireHostHeader: false,
	// Of two authorizations neither counts; otherwise the server would drop the second unseen.
	joinDuplicateHeaders: true,
};

/** The HTTP server with its limits, one error shape on every layer, and no routes yet. */
export function createHttpServer(ctx: Context): App {
	const { log, trustedProxies = [] } = ctx;
	const clientErrors = createClientErrors();
	const connections = createConnectionLimits(
		trustedProxies,
		ctx.connectionsPerAddress,
	);
	const app = fastify({
		bodyLimit: BODY_LIMIT_BYTES,
		routerOptions: { maxParamLength: MAX_PARAM_LENGTH },
		genReqId: requestIdOf,
		requestIdHeader: false,
		trustProxy: trustedProxies.length > 0 && [...trustedProxies],
		return503OnClosing: false,
		serverFactory: (handle) => {
			const server = createServer(HTTP_OPTIONS, (request, response) => {
				if (connections.admit(request, response)) handle(request, response);
			});
			server.keepAliveTimeout = KEEP_ALIVE_MS;
			server.requestTimeout = REQUEST_TIMEOUT_MS;
			server.setTimeout(STALLED_MS);
			server.on("connection", connections.add);
			return server;
		},
		clientErrorHandler: clientErrors.respond,
		frameworkErrors: refuseUnroutable,
	}).withTypeProvider<ZodTypeProvider>();
	app.server.on("request", clientErrors.noteRequest);
	ignoreExpectations(app);
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(createErrorHandler(log, () => ctx.isDraining));
	acceptJsonOnly(app, ctx.bodies);
	app.addHook("onRequest", setCommonHeaders);
	app.addHook("onRequest", requireHost);
	app.addHook("onSend", closeWhileDraining(ctx));
	return app;
}

/** An Expect other than 100-continue may be ignored (RFC 9110, 10.1.1); the server's own response has no request id. */
function ignoreExpectations({ server }: App): void {
	server.on("checkExpectation", (request, response) => {
		server.emit("request", request, response);
	});
}
