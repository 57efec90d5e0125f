import { assertOrganization } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type { MessagingService } from "@airtower/proto/messaging/v1/messaging";
import { findMessage } from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";
import { messageToProto } from "./message-to-proto.ts";

export const getMessage: Handler<
	typeof MessagingService.method.getMessage
> = async ({ sql }, { organizationId, messageId }, context) => {
	assertOrganization(context, organizationId.toLowerCase());
	const message = await findMessage(sql, organizationId, messageId);
	if (message === undefined)
		throw notFound("unknown_message", "There is no such message.");
	return { message: messageToProto(message) };
};
