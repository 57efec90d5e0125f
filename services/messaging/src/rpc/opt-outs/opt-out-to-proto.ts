import type { OptOutSchema } from "@airtower/proto/messaging/v1/opt_outs";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { OptOutRow } from "../../store/opt-outs/opt-outs.ts";

export function optOutToProto({
	createdAt,
	...row
}: OptOutRow): MessageInitShape<typeof OptOutSchema> {
	return { ...row, createdAt: timestampFromDate(createdAt) };
}
