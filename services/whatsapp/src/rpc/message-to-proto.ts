import type { WhatsAppMessageSchema } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { MessageRow } from "../store/messages.ts";

/** A message as its organization sees it: nothing of the provider. */
export function messageToProto(
	row: MessageRow,
): MessageInitShape<typeof WhatsAppMessageSchema> {
	const sentAt = notBefore(row.createdAt, row.sentAt);
	const sentFirst = sentAt ?? row.createdAt;
	const deliveredAt = notBefore(sentFirst, row.deliveredAt);
	const readAt = notBefore(deliveredAt ?? sentFirst, row.readAt);
	return {
		id: row.id,
		direction: row.direction,
		type: row.type,
		recipient: row.recipient ?? "",
		phoneNumberId: row.phoneNumberId,
		status: row.status,
		billingCategory: row.billingCategory,
		templateName: row.templateName ?? "",
		templateLanguage: row.templateLanguage ?? "",
		errorCode: row.errorCode ?? "",
		clientReference: row.clientReference ?? "",
		createdAt: timestampFromDate(row.createdAt),
		...(sentAt && { sentAt: timestampFromDate(sentAt) }),
		...(deliveredAt && { deliveredAt: timestampFromDate(deliveredAt) }),
		...(readAt && { readAt: timestampFromDate(readAt) }),
	};
}

/** The provider's times are whole seconds, and may lie before what we know to have come first. */
function notBefore(first: Date, at: Date | null): Date | null {
	return at !== null && at < first ? first : at;
}
