import type { IncomingHttpHeaders } from "node:http";
import type { FastifyRequest } from "fastify";
import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import type { App } from "../routes.ts";
import { admitCallbacks } from "./admit-callbacks.ts";

/** Far above what operators send, bytes: a hundred receipts at a time. */
const BODY_LIMIT_BYTES = 1_048_576;

/**
 * What operators that are called over HTTP call back: receipts, and on a path of their own texts from phones. The whole
 * request goes on, since every part of it may be signed.
 */
export function smsCallbackRoutes(app: App, ctx: Context): void {
	const { bodyOf, countForgery } = admitCallbacks(app, ctx, BODY_LIMIT_BYTES);
	const { messaging } = ctx.clients;
	const common = { config: { access: publicAccess }, schema: { hide: true } };
	const toCallback = (request: FastifyRequest<CallbackPath>) => ({
		route: request.params.route,
		method: request.method === "POST" ? "POST" : "GET",
		query: request.url.split("?").slice(1).join("?"),
		headers: singleHeaders(request.headers),
		body: bodyOf(request),
	});
	for (const method of ["GET", "POST"]) {
		app.route<CallbackPath>({
			...common,
			method,
			url: "/callbacks/sms/:route",
			handler: async (request) => {
				const call = messaging.receiveCallback(toCallback(request));
				await countForgery(request, call);
				return { success: true };
			},
		});
		app.route<CallbackPath>({
			...common,
			method,
			url: "/callbacks/sms/:route/inbound",
			handler: async (request, reply) => {
				const callback = toCallback(request);
				const call = messaging.receiveInboundCallback({ callback });
				const { contentType, body } = await countForgery(request, call);
				return contentType === ""
					? { success: true }
					: reply.type(contentType).send(body);
			},
		});
	}
}

interface CallbackPath {
	readonly Params: { readonly route: string };
}

/** Without those that came several times. */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).flatMap(([name, value]) =>
			typeof value === "string" ? [[name, value]] : [],
		),
	);
}
