import { callerOf } from "@airtower/platform/rpc/caller";
import type {
	TraceWhatsAppMessageRequest,
	TraceWhatsAppMessageResponseSchema,
} from "@airtower/proto/whatsapp/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { unknownMessage } from "../errors.ts";
import { findTracedMessage } from "../store/messages.ts";
import { messageToProto } from "./message-to-proto.ts";

/** The life of one message, the provider's side of it included. */
export async function traceWhatsAppMessage(
	ctx: Context,
	{ messageId }: TraceWhatsAppMessageRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof TraceWhatsAppMessageResponseSchema>> {
	const { organization } = callerOf(context);
	const row = await findTracedMessage(ctx.sql, messageId);
	if (row === undefined) throw unknownMessage();
	if (organization !== "*" && organization !== row.organizationId)
		throw unknownMessage();
	return {
		message: messageToProto(row),
		organizationId: row.organizationId,
		providerMessageId: row.providerMessageId ?? "",
		providerError: row.providerError ?? "",
		attempts: row.attempts,
	};
}
