import type { MessageSchema } from "@airtower/proto/messaging/v1/messaging";
import { maskRecipient } from "@airtower/proto/rules/mask-recipient";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { toPriority } from "../domain/lanes.ts";
import type { ShownMessage } from "../store/shown-messages.ts";

export function messageToProto(
	row: ShownMessage,
): MessageInitShape<typeof MessageSchema> {
	return {
		...toProgress(row),
		id: row.id,
		to: row.recipient,
		senderId: row.senderId,
		senderName: row.senderValue,
		errorCode: row.reason ?? "",
		clientReference: row.clientReference ?? "",
		campaignId: row.campaignId ?? "",
		createdAt: timestampFromDate(row.createdAt),
	};
}

export function tracedToProto(row: ShownMessage) {
	return {
		...toProgress(row),
		organizationId: row.organizationId,
		to: maskRecipient(row.recipient),
		reason: row.reason ?? "",
		operatorError: row.operatorError ?? "",
		rulesVersion: row.rulesVersion ?? 0,
		firstRoute: row.firstRoute ?? "",
		priority: toPriority(row.lane),
		acceptedAt: timestampFromDate(row.createdAt),
	};
}

function toProgress(row: ShownMessage) {
	const { status, route, segments, attempts, possibleDuplicate } = row;
	const { sendAt, submittedAt, finishedAt } = row;
	return {
		status,
		route,
		segments,
		attempts,
		possibleDuplicate,
		...(sendAt && { sendAt: timestampFromDate(sendAt) }),
		...(submittedAt && { submittedAt: timestampFromDate(submittedAt) }),
		...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
	};
}
