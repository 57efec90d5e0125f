import type { SenderIdSchema } from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { SenderIdRow } from "../../store/senders/sender-ids.ts";

export function senderIdToProto(
	row: SenderIdRow,
): MessageInitShape<typeof SenderIdSchema> {
	return {
		id: row.id,
		value: row.value,
		status: row.status,
		isDefault: row.isDefault,
		rejectionReason: row.rejectionReason ?? "",
		createdAt: timestampFromDate(row.createdAt),
		...(row.decidedAt && { decidedAt: timestampFromDate(row.decidedAt) }),
	};
}
