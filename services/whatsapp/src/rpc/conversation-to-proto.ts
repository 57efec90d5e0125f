import type { ConversationSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ConversationRow } from "../store/conversation-list.ts";

export function conversationToProto(
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
