import type {
	ReceiveCallbackRequest,
	ReceiveCallbackResponseSchema,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Context } from "../context.ts";
import { isSignedBy } from "../domain/callback-signature.ts";
import { invalidCallbackSignature } from "../errors.ts";

/** Verifies a callback over its raw bytes and stores it; it is read afterwards. */
export async function receiveCallback(
	ctx: Context,
	request: ReceiveCallbackRequest,
): Promise<MessageInitShape<typeof ReceiveCallbackResponseSchema>> {
	const { body, signature } = request;
	if (!isSignedBy(ctx.appSecret, body, signature)) {
		ctx.telemetry.callbacks.inc({ result: "forged" });
		throw invalidCallbackSignature();
	}
	await ctx.intake.add(body);
	ctx.wake.callbacks();
	return {};
}
