import type { AuditEntrySchema } from "@airtower/proto/ops/v1/audit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { AuditEntryRow } from "./audit-entries.ts";

export function auditEntryToProto(
	row: AuditEntryRow,
): MessageInitShape<typeof AuditEntrySchema> {
	const { id, actorKind, actor, action, before, after } = row;
	return {
		...{ id, actorKind, actor, action },
		createdAt: timestampFromDate(row.createdAt),
		organizationId: row.organizationId ?? "",
		address: row.address ?? "",
		subject: row.subject ?? "",
		before: before === null ? "" : JSON.stringify(before),
		after: after === null ? "" : JSON.stringify(after),
	};
}
