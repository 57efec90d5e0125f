import type {
	InboundMessageSchema,
	InboundNumberSchema,
} from "@airtower/proto/messaging/v1/inbound";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { StoredInboundText } from "../../domain/inbound/inbound-text.ts";
import type { InboundNumber } from "../../store/inbound/inbound-numbers.ts";

export function inboundToProto(
	text: StoredInboundText,
): MessageInitShape<typeof InboundMessageSchema> {
	const { id, sender, recipient, body, encoding, route } = text;
	return {
		id,
		body,
		encoding,
		route,
		from: sender,
		to: recipient,
		parts: text.partCount,
		isComplete: text.isComplete,
		keyword: text.keyword ?? "",
		receivedAt: timestampFromDate(text.receivedAt),
	};
}

export function numberToProto(
	row: InboundNumber,
): MessageInitShape<typeof InboundNumberSchema> {
	const { number, keyword, organizationId, createdAt } = row;
	return {
		number,
		organizationId,
		keyword: keyword ?? "",
		createdAt: timestampFromDate(createdAt),
	};
}

/** What the audit keeps of a number. */
export function numberToFacts({ keyword, organizationId }: InboundNumber) {
	return { keyword, organization_id: organizationId };
}
