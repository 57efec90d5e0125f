import { isSameSecret } from "@airtower/platform/sealing/same-secret";
import type { WhatsAppService } from "@airtower/proto/whatsapp/v1/whatsapp";
import { invalidVerifyToken } from "../errors.ts";
import type { Handler } from "./handler.ts";

/** Gives the challenge back to whoever knows the verify token. */
export const verifySubscription: Handler<
	typeof WhatsAppService.method.verifySubscription
> = async (ctx, { mode, verifyToken, challenge }) => {
	const isKnown = isSameSecret(verifyToken, ctx.verifyToken);
	if (mode !== "subscribe" || !isKnown) throw invalidVerifyToken();
	return { challenge };
};
