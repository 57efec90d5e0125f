import {
	notFound,
	unauthenticated,
} from "@airtower/platform/runtime/domain-error";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { readReceipts } from "../operators/http/callback-receipts.ts";
import { isGenuine } from "../operators/http/verify-callback.ts";
import type { Handler } from "./handler.ts";

/** The response means that what the receipts say is durable: an operator that gets none may call again. */
export const receiveCallback: Handler<
	typeof MessagingService.method.receiveCallback
> = async (ctx, { route: code, method, ...request }) => {
	const route = ctx.routes.current().find((one) => one.code === code)?.settings;
	if (route?.kind !== "http") throw unknownRoute();
	const callback = {
		...request,
		method: method === "GET" ? "GET" : "POST",
	} as const;
	if (!isGenuine(callback, route)) throw invalidSignature();
	const { receipts, unreadable } = readReceipts(callback, route);
	await Promise.all(receipts.map(ctx.receiptIntake.add));
	if (unreadable > 0)
		ctx.log.warn({ route: code, unreadable }, "callbacks without id or state");
	return {};
};

function unknownRoute() {
	return notFound("unknown_route", "No operator calls back on this path.");
}

function invalidSignature() {
	return unauthenticated(
		"invalid_callback_signature",
		"The callback is not signed as the operator signs.",
	);
}
