import {
	createServer,
	type IncomingMessage,
	type ServerOptions,
	type ServerResponse,
	STATUS_CODES,
} from "node:http";
import type { Socket } from "node:net";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { toRequestId } from "@airtower/platform/runtime/request-context";
import fastify, {
	type onRequestHookHandler,
	type onSendHookHandler,
} from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Context } from "../context.ts";
import type { App } from "../routes/routes.ts";
import { type ErrorCode, errorTable } from "../schemas/errors.ts";
import { createConnectionLimits } from "./connection-limits.ts";
import {
	createErrorHandler,
	errorText,
	JSON_TYPE,
	refuseUnroutable,
	sendRefusal,
} from "./errors.ts";
import { acceptJsonAndTables } from "./json-body.ts";
import { validatorCompiler } from "./validation.ts";

/** Unless a route says otherwise; the longest SMS in \u escapes takes a sixth. */
const BODY_LIMIT_BYTES = 65_536;
const MAX_HEADER_BYTES = 16_384;
const REQUEST_TIMEOUT_MS = 30_000;
/** What `Keep-Alive` tells clients: less than a stop leaves their idle connections open, ms. */
const PROMISED_IDLE_MS = 4_000;
/** Above the idle time of load balancers, which do not read that header: it is never us who closes first. */
const IDLE_MS = 75_000;
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
			server.keepAliveTimeout = PROMISED_IDLE_MS;
			server.keepAliveTimeoutBuffer = IDLE_MS - PROMISED_IDLE_MS;
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
	acceptJsonAndTables(app, ctx.bodies);
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

/** Responds to what the HTTP parser refused, where no request exists yet. */
interface ClientErrors {
	readonly noteRequest: (
		request: IncomingMessage,
		response: ServerResponse,
	) => void;
	/** Closes the connection, after an error of its own or after the responses that are due. */
	readonly respond: (error: ParserError, socket: Socket) => void;
}

function createClientErrors(): ClientErrors {
	/** The responses that are not sent yet, in the order of their requests. */
	const pending = new WeakMap<Socket, Set<ServerResponse>>();
	/** Connections that end with a response: whatever else comes in on them is not looked at. */
	const ending = new WeakSet<Socket>();

	return {
		noteRequest: ({ socket }, response) => {
			const responses = pending.get(socket) ?? new Set();
			pending.set(socket, responses.add(response));
			response.once("close", () => responses.delete(response));
		},
		respond: (error, socket) => {
			if (ending.has(socket)) return;
			if (error.code === "ECONNRESET" || !socket.writable) {
				socket.destroy();
				return;
			}
			const last = [...(pending.get(socket) ?? [])].findLast(isDue);
			if (last === undefined) return endWithError(error, socket);
			ending.add(socket);
			endAfter(last, socket);
		},
	};
}

/** False for a request whose body is broken: it is not carried out, and gets no response. */
function isDue({ req, headersSent }: ServerResponse): boolean {
	return req.complete || headersSent;
}

/** The client would take an error now for the response to a request before, and send that one again. */
function endAfter(response: ServerResponse, socket: Socket): void {
	if (!response.headersSent) response.setHeader("connection", "close");
	response.once("close", () => socket.destroySoon());
}

type ParserError = Error & { readonly code?: string };

const CODE_OF_PARSER_ERROR: Readonly<Record<string, ErrorCode>> = {
	HPE_HEADER_OVERFLOW: "headers_too_large",
	ERR_HTTP_REQUEST_TIMEOUT: "request_timeout",
};

function endWithError(error: ParserError, socket: Socket): void {
	const code = CODE_OF_PARSER_ERROR[error.code ?? ""] ?? "bad_request";
	const { status } = errorTable[code];
	const requestId = uuidv7();
	const body = errorText({ code }, requestId);
	const head = [
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
		`content-type: ${JSON_TYPE}`,
		`content-length: ${Buffer.byteLength(body)}`,
		`x-request-id: ${requestId}`,
		"connection: close",
	];
	socket.end([...head, "", body].join("\r\n"));
}

function requestIdOf(request: IncomingMessage): string {
	return toRequestId(request.headers["x-request-id"]);
}

const setCommonHeaders: onRequestHookHandler = (request, reply, done) => {
	reply.header("x-request-id", request.id);
	reply.header("cache-control", "no-store");
	reply.header("x-content-type-options", "nosniff");
	done();
};

/** As late as can be: a request may have been running when the stop began, and its connection is idle after it. */
function closeWhileDraining(ctx: Context): onSendHookHandler {
	return (_request, reply, payload, done) => {
		if (ctx.isDraining) reply.header("connection", "close");
		done(null, payload);
	};
}

/** Refuses HTTP/1.1 without Host or with two (RFC 9112, 3.2); the server's own refusal would have no request id. */
const requireHost: onRequestHookHandler = (request, reply, done) => {
	const { headers, httpVersion } = request.raw;
	// Several headers are joined by commas, which no host contains.
	const isBad = headers.host?.includes(",") ?? httpVersion === "1.1";
	if (isBad) return sendRefusal(reply, { code: "bad_request" });
	done();
};
