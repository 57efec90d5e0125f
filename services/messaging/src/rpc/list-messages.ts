import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { MessagingAdminService } from "@airtower/proto/messaging/v1/admin";
import { maskRecipient } from "@airtower/proto/rules/mask-recipient";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import {
	findUnknownMessages,
	type UnknownMessageRow,
} from "../store/dispatch/unknown-dispatch.ts";
import type { Handler } from "./handler.ts";

const MAX_LISTED = 1_000;

export const listMessages: Handler<
	typeof MessagingAdminService.method.listMessages
> = async (ctx, _request, context) => {
	assertOrganization(context, "*");
	const rows = await findUnknownMessages(ctx.sql, MAX_LISTED + 1);
	return {
		messages: rows.slice(0, MAX_LISTED).map(toProto),
		more: rows.length > MAX_LISTED,
	};
};

function toProto(row: UnknownMessageRow) {
	const isLast = row.dueAt >= row.expiresAt;
	return {
		messageId: row.id,
		organizationId: row.organizationId,
		to: maskRecipient(row.recipient),
		route: row.route,
		attempts: row.attempts,
		acceptedAt: timestampFromDate(row.acceptedAt),
		unknownSince: timestampFromDate(row.sentAt),
		failsAt: timestampFromDate(row.expiresAt),
		...(!isLast && { resendAt: timestampFromDate(row.dueAt) }),
	};
}
