import type { TracedPartSchema } from "@airtower/proto/messaging/v1/admin";
import { maskRecipient } from "@airtower/proto/rules/mask-recipient";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PartRow } from "../store/parts.ts";
import type { TracedMessageRow } from "../store/shown-messages.ts";

export function tracedToProto(message: TracedMessageRow) {
	return {
		...timesOf(message),
		organizationId: message.organizationId,
		to: maskRecipient(message.recipient),
		status: message.status,
		reason: message.reason ?? "",
		route: message.route,
		segments: message.segments,
		attempts: message.attempts,
		possibleDuplicate: message.possibleDuplicate,
		operatorError: message.operatorError ?? "",
	};
}

function timesOf({ acceptedAt, submittedAt, finishedAt }: TracedMessageRow) {
	return {
		acceptedAt: timestampFromDate(acceptedAt),
		...(submittedAt && { submittedAt: timestampFromDate(submittedAt) }),
		...(finishedAt && { finishedAt: timestampFromDate(finishedAt) }),
	};
}

export function partToProto(
	row: PartRow,
): MessageInitShape<typeof TracedPartSchema> {
	return {
		number: row.number,
		operatorMessageId: row.operatorMessageId,
		status: row.state,
		operatorError: row.operatorError ?? "",
	};
}
