import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { withRequestId } from "@airtower/platform/runtime/request-context";
import { isTracing } from "@airtower/platform/tracing/spans";
import type { preHandlerHookHandler, preValidationHookHandler } from "fastify";
import type { Context } from "../context.ts";
import type { Access } from "../domain/access.ts";
import type { App } from "../routes/routes.ts";
import { noQuery } from "../schemas/common.ts";
import { logAccess } from "./access-log.ts";
import { authenticate, authorize, limitRate } from "./auth.ts";
import { readIdempotencyKey } from "./idempotency.ts";
import { beginTrace, carryTrace } from "./trace-requests.ts";

declare module "fastify" {
	interface FastifyContextConfig {
		/** Who may use the route; the gateway does not start without it. */
		access?: Access;
		/** True for a POST that may come without a body. */
		isBodyOptional?: boolean;
		/** True for a POST that changes nothing: an Idempotency-Key is not looked at. */
		isReadOnly?: boolean;
		/** True when one RPC call carries the requests of many clients. */
		isBatched?: boolean;
	}
}

/** Gives every route the hooks of its access. Throws for a route that does not say who may use it. */
export function guardRoutes(app: App, ctx: Context): void {
	const identify = authenticate(ctx);
	const limit = limitRate(ctx);
	app.decorateRequest("caller", null);
	app.decorateRequest("refusal", undefined);
	app.decorateRequest("span", undefined);
	app.decorateRequest("idempotent", undefined);
	app.addHook("onRoute", (route) => {
		const { access, isBatched, isBodyOptional, isReadOnly } =
			route.config ?? {};
		const { url } = route;
		const method = String(route.method);
		if (access === undefined)
			throw new Error(
				`The route ${method} ${url} does not say who may use it.`,
			);
		const log = logAccess(ctx, url, method);
		route.onResponse = log.onResponse;
		const begin = isTracing()
			? [beginTrace(url, method), log.onRequest]
			: [log.onRequest];
		route.onRequest = begin;
		route.preHandler = [
			...(isTracing() ? [carryTrace] : []),
			...(isBatched ? [] : [carryRequest]),
		];
		if (access.kind === "public") return;
		route.onRequest = [...begin, identify, limit, authorize(access)];
		route.schema = { querystring: noQuery, ...route.schema };
		if (isBodyOptional) route.preValidation = giveEmptyBody;
		if (method === "POST" && isReadOnly !== true)
			route.preHandler.unshift(readIdempotencyKey(url, isBatched === true));
	});
}

/** Runs a handler with the request's id and for its key's organization alone; RPC calls and log lines carry both. */
const carryRequest: preHandlerHookHandler = (request, _reply, done) =>
	withRequestId(request.id, () =>
		onBehalfOf(request.caller?.organizationId ?? "*", done),
	);

/** For a route whose body may be left out; `null` is a body, of the wrong type. */
const giveEmptyBody: preValidationHookHandler = (request, _, done) => {
	if (request.body === undefined) request.body = {};
	done();
};
