import { invalid } from "@airtower/platform/runtime/domain-error";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { readTexts } from "../../operators/http/callback-texts.ts";
import { inboundCallback } from "../../operators/http/http-route.ts";
import { genuineCallback } from "../genuine-callback.ts";
import type { Handler } from "../handler.ts";

/**
 * The response means that the texts are durable: an operator that gets none calls again. Of a callback that cannot be
 * read as a whole the rest is stored, then it is refused.
 */
export const receiveInboundCallback: Handler<
	typeof MessagingService.method.receiveInboundCallback
> = async (ctx, { callback: request }) => {
	if (request === undefined)
		throw invalid("required", "callback", "There is no callback.");
	const { route, callback } = genuineCallback(ctx, request, inboundCallback);
	const { inbound } = route.description;
	if (inbound === undefined) return {};
	const { texts, refusal } = readTexts(callback, route, inbound);
	await Promise.all(texts.map(ctx.inboundIntake.add));
	if (refusal !== undefined) {
		const { field } = refusal;
		ctx.log.warn({ route: route.code, field }, "texts cannot be read");
		throw refusal;
	}
	const { type = "", body = "" } = inbound.response ?? {};
	return { contentType: type, body };
};
