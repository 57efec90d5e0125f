import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { readReceipts } from "../operators/http/callback-receipts.ts";
import { genuineCallback } from "./genuine-callback.ts";
import type { Handler } from "./handler.ts";

/** The response means that what the receipts say is durable: an operator that gets none may call again. */
export const receiveCallback: Handler<
	typeof MessagingService.method.receiveCallback
> = async (ctx, request) => {
	const { route, callback } = genuineCallback(
		ctx,
		request,
		(route) => route.callback,
	);
	const { receipts, unreadable } = readReceipts(callback, route);
	await Promise.all(receipts.map(ctx.receiptIntake.add));
	if (unreadable > 0)
		ctx.log.warn(
			{ route: route.code, unreadable },
			"callbacks without id or state",
		);
	return {};
};
