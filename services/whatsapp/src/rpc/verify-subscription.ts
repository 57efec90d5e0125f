import type {
	VerifySubscriptionRequest,
	VerifySubscriptionResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { isSameSecret } from "../domain/callback-signature.ts";
import { invalidVerifyToken } from "../errors.ts";

const MODE = "subscribe";

/** Gives the challenge back to whoever knows the verify token. */
export async function verifySubscription(
	ctx: Context,
	request: VerifySubscriptionRequest,
): Promise<MessageInitShape<typeof VerifySubscriptionResponseSchema>> {
	const { mode, verifyToken, challenge } = request;
	const isKnown = isSameSecret(verifyToken, ctx.verifyToken);
	if (mode !== MODE || !isKnown) throw invalidVerifyToken();
	return { challenge };
}
