import type { IncomingHttpHeaders } from "node:http";
import type { Context } from "../../context.ts";
import { publicAccess } from "../../domain/access.ts";
import type { App } from "../routes.ts";
import { admitCallbacks } from "./admit-callbacks.ts";

/** Far above what operators send, bytes: a hundred receipts at a time. */
const BODY_LIMIT_BYTES = 1_048_576;

/** What operators that are called over HTTP call back. The whole request goes on: any part of it may be signed. */
export function smsCallbackRoutes(app: App, ctx: Context): void {
	const { bodyOf, countForgery } = admitCallbacks(app, ctx, BODY_LIMIT_BYTES);
	for (const method of ["GET", "POST"])
		app.route<{ Params: { readonly route: string } }>({
			method,
			url: "/callbacks/sms/:route",
			config: { access: publicAccess },
			schema: { hide: true },
			handler: async (request) => {
				const { params, headers, url } = request;
				await countForgery(
					request,
					ctx.clients.messaging.receiveCallback({
						route: params.route,
						method,
						query: url.split("?").slice(1).join("?"),
						headers: singleHeaders(headers),
						body: bodyOf(request),
					}),
				);
				return { success: true };
			},
		});
}

/** Without those that came several times. */
function singleHeaders(headers: IncomingHttpHeaders): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).flatMap(([name, value]) =>
			typeof value === "string" ? [[name, value]] : [],
		),
	);
}
