import { callerOf } from "@airtower/platform/rpc/caller";
import { notFound } from "@airtower/platform/runtime/domain-error";
import type {
	MessagingAdminService,
	TracedPartSchema,
} from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { findParts, type PartRow } from "../store/parts.ts";
import {
	findTracedMessage,
	type ShownMessage,
} from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";
import { tracedToProto } from "./message-to-proto.ts";

/** Shows the life of one message; another organization's is not found. */
export const traceMessage: Handler<
	typeof MessagingAdminService.method.traceMessage
> = async (ctx, request, context) => {
	const { organization } = callerOf(context);
	const message = await findTracedMessage(ctx.sql, request.messageId);
	if (message === undefined || !sees(organization, message))
		throw notFound("unknown_message", "There is no such message.", {
			field: "message_id",
		});
	const parts = await findParts(ctx.sql, request.messageId);
	const messageId = request.messageId.toLowerCase();
	return {
		messageId,
		...tracedToProto(message),
		parts: parts.map(partToProto),
	};
};

function sees(organization: string, message: ShownMessage): boolean {
	return organization === "*" || organization === message.organizationId;
}

function partToProto(row: PartRow): MessageInitShape<typeof TracedPartSchema> {
	return {
		number: row.number,
		operatorMessageId: row.operatorMessageId,
		status: row.state,
		operatorError: row.operatorError ?? "",
	};
}
