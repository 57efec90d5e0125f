import { callerOf } from "@airtower/platform/rpc/caller";
import type { WhatsAppAdminService } from "@airtower/proto/whatsapp/v1/admin";
import { unknownMessage } from "../../errors.ts";
import { findTracedMessage } from "../../store/messages.ts";
import type { Handler } from "../handler.ts";
import { messageToProto } from "../message-to-proto.ts";

export const traceWhatsAppMessage: Handler<
	typeof WhatsAppAdminService.method.traceWhatsAppMessage
> = async (ctx, { messageId }, context) => {
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
};
