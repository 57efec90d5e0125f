import type { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import { isSignedBy } from "../domain/callback-signature.ts";
import { invalidCallbackSignature } from "../errors.ts";
import type { Handler } from "./handler.ts";

/** Verifies a callback over its raw bytes and stores it; it is read afterwards. */
export const receiveCallback: Handler<
	typeof WhatsAppService.method.receiveCallback
> = async (ctx, { body, signature }) => {
	if (!isSignedBy(ctx.appSecret, body, signature)) {
		ctx.telemetry.callbacks.inc({ result: "forged" });
		throw invalidCallbackSignature();
	}
	await ctx.callbackBatcher.add(body);
	ctx.wake.callbacks();
	return {};
};
