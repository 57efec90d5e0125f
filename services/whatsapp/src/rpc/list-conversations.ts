import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ConversationSchema,
	WhatsAppService,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { currentNumber } from "../domain/user-number.ts";
import {
	type ConversationRow,
	listConversations as listRows,
} from "../store/conversation-list.ts";
import type { Handler } from "./handler.ts";
import { toListRange } from "./list-range.ts";

const STATUSES = ["", "open", "closed"];

export const listConversations: Handler<
	typeof WhatsAppService.method.listConversations
> = async (ctx, request, context) => {
	const { organizationId, status } = request;
	assertOrganization(context, organizationId);
	if (!STATUSES.includes(status)) return {};
	const { limit, range } = toListRange(request);
	const filter = { status, recipient: currentNumber(request.recipient) };
	const now = ctx.clock();
	const found = await listRows(ctx.sql, organizationId, filter, range, now);
	const { rows, next } = cutPage(found, limit);
	const conversations = rows.map(conversationToProto);
	return { conversations, ...(next && { next }) };
};

function conversationToProto(
	row: ConversationRow,
): MessageInitShape<typeof ConversationSchema> {
	const { windowOpenedAt, windowExpiresAt } = row;
	return {
		id: row.id,
		phoneNumberId: row.phoneNumberId,
		recipient: row.recipient ?? "",
		status: row.status,
		...(windowOpenedAt && {
			windowOpenedAt: timestampFromDate(windowOpenedAt),
		}),
		...(windowExpiresAt && {
			windowExpiresAt: timestampFromDate(windowExpiresAt),
		}),
		createdAt: timestampFromDate(row.createdAt),
		lastMessageAt: timestampFromDate(row.lastMessageAt),
	};
}
