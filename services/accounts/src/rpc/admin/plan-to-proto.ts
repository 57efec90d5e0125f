import type { PlanSchema } from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { PlanRow } from "../../store/plans.ts";

export function planToProto(row: PlanRow): MessageInitShape<typeof PlanSchema> {
	return { ...row, createdAt: timestampFromDate(row.createdAt) };
}
