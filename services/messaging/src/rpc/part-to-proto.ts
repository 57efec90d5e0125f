import type { TracedPartSchema } from "@airtower/proto/messaging/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { PartRow } from "../store/parts.ts";

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
