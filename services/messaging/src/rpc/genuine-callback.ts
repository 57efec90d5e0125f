import {
	notFound,
	unauthenticated,
} from "@airtower/platform/runtime/domain-error";
import type { ReceiveCallbackRequest } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import type { Callback } from "../operators/http/callback.ts";
import type { HttpRoute } from "../operators/http/http-route.ts";
import { isGenuine } from "../operators/http/verify-callback.ts";

interface GenuineCallback {
	readonly route: HttpRoute;
	readonly callback: Callback;
}

/**
 * A callback that is of its route's operator, `urlOf` being where that operator was told to call. It is undefined for a
 * route whose operator does not call there. @throws DomainError unknown_route, invalid_callback_signature
 */
export function genuineCallback(
	ctx: Context,
	{ route: code, method, ...request }: ReceiveCallbackRequest,
	urlOf: (route: HttpRoute) => string | undefined,
): GenuineCallback {
	const route = ctx.routes.current().find((one) => one.code === code)?.settings;
	const url = route?.kind === "http" ? urlOf(route) : undefined;
	if (route?.kind !== "http" || url === undefined)
		throw notFound("unknown_route", "No operator calls back on this path.");
	const callback: Callback = {
		...request,
		method: method === "GET" ? "GET" : "POST",
	};
	if (!isGenuine(callback, route, url))
		throw unauthenticated(
			"invalid_callback_signature",
			"The callback is not signed as the operator signs.",
		);
	return { route, callback };
}
