import { isUtf8 } from "node:buffer";
import fastify, {
	type FastifyBaseLogger,
	type FastifyInstance,
	type RawReplyDefaultExpression,
	type RawRequestDefaultExpression,
	type RawServerDefault,
	type RouteOptions,
} from "fastify";
import type {
	FastifyPluginAsyncZod,
	ZodTypeProvider,
} from "fastify-type-provider-zod";
import type { Context } from "./context.ts";
import type { Access } from "./domain/access.ts";
import { RefusalError } from "./errors.ts";
import { registerOpenApi } from "./openapi/register.ts";
import {
	createAccessLog,
	logAccess,
	UNKNOWN_ROUTE,
} from "./plugins/access-log.ts";
import { authenticate, authorize } from "./plugins/auth.ts";
import { createClientErrors } from "./plugins/client-errors.ts";
import { createErrorHandler, sendRefusal } from "./plugins/errors.ts";
import { readIdempotencyKey } from "./plugins/idempotency.ts";
import { limitRate } from "./plugins/rate-limit.ts";
import {
	requestIdOf,
	requireHost,
	setCommonHeaders,
} from "./plugins/request-id.ts";
import { createUnknownRoutes } from "./plugins/unknown-routes.ts";
import { validatorCompiler } from "./plugins/validation.ts";
import { whatsappCallbackRoutes } from "./routes/callbacks/whatsapp.ts";
import { accountRoutes } from "./routes/v1/account.ts";
import { apiKeyRoutes } from "./routes/v1/api-keys.ts";
import { campaignRoutes } from "./routes/v1/campaigns.ts";
import { contactRoutes } from "./routes/v1/contacts.ts";
import { docsRoutes } from "./routes/v1/docs.ts";
import { senderIdRoutes } from "./routes/v1/sender-ids.ts";
import { serviceRoutes } from "./routes/v1/service.ts";
import { smsRoutes } from "./routes/v1/sms.ts";
import { webhookRoutes } from "./routes/v1/webhooks.ts";
import { whatsappListRoutes } from "./routes/v1/whatsapp-lists.ts";
import { whatsappMessageRoutes } from "./routes/v1/whatsapp-messages.ts";

/** The gateway's HTTP application: its routes check and describe themselves with zod schemas. */
export type App = FastifyInstance<
	RawServerDefault,
	RawRequestDefaultExpression,
	RawReplyDefaultExpression,
	FastifyBaseLogger,
	ZodTypeProvider
>;

declare module "fastify" {
	interface FastifyContextConfig {
		/** Who may use the route; the gateway does not start without it. */
		access?: Access;
	}
}

/** Where version 1 of the public API lives. */
export const BASE_PATH = "/api/v1";

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

export type Routes = (ctx: Context) => FastifyPluginAsyncZod;

/** Every resource of version 1. */
const routesV1: readonly Routes[] = [
	serviceRoutes,
	docsRoutes,
	smsRoutes,
	whatsappMessageRoutes,
	whatsappListRoutes,
	accountRoutes,
	contactRoutes,
	campaignRoutes,
	senderIdRoutes,
	apiKeyRoutes,
	webhookRoutes,
];

/** Builds the application without listening. Throws when a route does not say who may use it. */
export async function buildApp(
	ctx: Context,
	resources: readonly Routes[] = routesV1,
): Promise<App> {
	const app = createServer(ctx);
	ignoreExpectations(app);
	app.setValidatorCompiler(validatorCompiler);
	app.setSerializerCompiler(() => JSON.stringify);
	app.setErrorHandler(
		createErrorHandler({ log: ctx.log, isStopping: () => ctx.isDraining }),
	);
	acceptJsonOnly(app);
	app.decorateRequest("caller", null);
	app.decorateRequest("idempotency", undefined);
	guardRoutes(app, ctx);
	answerUnknownRoutes(app, ctx);
	await registerOpenApi(app, BASE_PATH);
	for (const routes of resources)
		await app.register(routes(ctx), { prefix: BASE_PATH });
	await app.register(whatsappCallbackRoutes(ctx));
	await app.ready();
	return app;
}

function createServer(ctx: Context): App {
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
		clientErrorHandler: clientErrors.answer,
		frameworkErrors: (error, request, reply) => {
			reply.header("x-request-id", request.id);
			const unknown = error.code === "FST_ERR_MAX_PARAM_LENGTH";
			sendRefusal(reply, { code: unknown ? "route_not_found" : "bad_request" });
		},
	});
	app.server.on("request", clientErrors.noteRequest);
	return app.withTypeProvider<ZodTypeProvider>();
}

/** An Expect other than 100-continue may be ignored (RFC 9110, 10.1.1); the server's own answer has no request id. */
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

/** Gives every route the hooks of its access; the order is the order in which they run. */
function guardRoutes(app: App, ctx: Context): void {
	const identify = authenticate(ctx);
	const limit = limitRate(ctx);
	app.addHook("onRoute", (route) => {
		const access = route.config?.access;
		const name = `${String(route.method)} ${route.url}`;
		if (access === undefined)
			throw new Error(`The route ${name} does not say who may use it.`);
		const log = logAccess(ctx, route.url, String(route.method));
		route.onResponse = log.onResponse;
		route.onRequest = log.onRequest;
		if (access.kind === "public") return;
		route.onRequest = [log.onRequest, identify, limit, authorize(access)];
		if (route.method === "POST") addIdempotency(route);
	});
}

function addIdempotency(route: RouteOptions): void {
	route.preHandler = [
		readIdempotencyKey(route.url),
		...[route.preHandler ?? []].flat(),
	];
}

function answerUnknownRoutes(app: App, ctx: Context): void {
	const unknown = createUnknownRoutes();
	const log = createAccessLog(ctx, UNKNOWN_ROUTE, UNKNOWN_ROUTE);
	app.addHook("onRoute", unknown.learn);
	app.addHook("onRequest", setCommonHeaders(ctx));
	app.addHook("onRequest", requireHost);
	app.addHook("onRequest", (request, reply, done) => {
		if (!request.is404) return done();
		unknown.answer(request, reply);
		const { id: requestId } = request;
		const status = reply.statusCode;
		log({ requestId, organizationId: undefined, status, ms: 0 });
	});
}
