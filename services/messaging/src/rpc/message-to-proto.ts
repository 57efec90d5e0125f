import type { MessageSchema } from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { ListedMessage } from "../store/listed-messages.ts";

export function messageToProto(
	row: ListedMessage,
): MessageInitShape<typeof MessageSchema> {
	const { id, status, route, segments, attempts, possibleDuplicate } = row;
	const { createdAt, submittedAt, finishedAt } = row;
	return {
		...{ id, status, route, segments, attempts, possibleDuplicate },
		...{ to: row.recipient, senderId: row.senderId },
		senderName: row.senderValue,
		errorCode: row.reason ?? "",
		clientReference: row.clientReference ?? "",
		campaignId: row.campaignId ?? "",
		createdAt: timestampFromDate(createdAt),
		...(submittedAt && { submittedAt: timestampFromDate(submittedAt) }),
		...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
	};
}
