import { callerOf } from "@airtower/platform/rpc/caller";
import type {
	MessagingAdminService,
	TracedPartSchema,
} from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { maskRecipient } from "../domain/mask-recipient.ts";
import { domainError } from "../errors.ts";
import { findParts, type PartRow } from "../store/parts.ts";
import {
	findTracedMessage,
	type TracedMessageRow,
} from "../store/shown-messages.ts";
import type { Handler } from "./handler.ts";

/** Shows the life of one message; another organization's is not found. */
export const traceMessage: Handler<
	typeof MessagingAdminService.method.traceMessage
> = async (ctx, request, context) => {
	const { organization } = callerOf(context);
	const message = await findTracedMessage(ctx.sql, request.messageId);
	if (message === undefined || !sees(organization, message))
		throw domainError(
			"not_found",
			"unknown_message",
			"There is no such message.",
			"message_id",
		);
	const parts = await findParts(ctx.sql, request.messageId);
	return {
		...timesOf(message),
		messageId: request.messageId.toLowerCase(),
		organizationId: message.organizationId,
		to: maskRecipient(message.recipient),
		status: message.status,
		reason: message.reason ?? "",
		route: message.route,
		segments: message.segments,
		attempts: message.attempts,
		possibleDuplicate: message.possibleDuplicate,
		operatorError: message.operatorError ?? "",
		parts: parts.map(partToProto),
	};
};

function sees(organization: string, message: TracedMessageRow): boolean {
	return organization === "*" || organization === message.organizationId;
}

function timesOf({ acceptedAt, submittedAt, finishedAt }: TracedMessageRow) {
	return {
		acceptedAt: timestampFromDate(acceptedAt),
		...(submittedAt && { submittedAt: timestampFromDate(submittedAt) }),
		...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
	};
}

function partToProto(row: PartRow): MessageInitShape<typeof TracedPartSchema> {
	return {
		number: row.number,
		operatorMessageId: row.operatorMessageId,
		status: row.state,
		operatorError: row.operatorError ?? "",
	};
}
