import type { PageRequest } from "@airtower/proto/common/v1/page";
import {
	type AuditEntrySchema,
	AuditService,
} from "@airtower/proto/ops/v1/audit";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Db } from "../database/database.ts";
import { cutPage, pageStart } from "../database/page.ts";
import { assertOrganization } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { isUuid } from "../runtime/ids.ts";
import { type AuditEntryRow, listAuditEntries } from "./audit-entries.ts";

/** AuditService, by which admins see what was done in the service, and an organization what was done to it. */
export function auditRoute(sql: Db): RpcRoute {
	return rpcRoute(AuditService, {
		listAuditEntries: ({ organizationId, page }, context) => {
			assertOrganization(context, organizationId || "*");
			return listPage(sql, organizationId.toLowerCase() || undefined, page);
		},
		listOrganizationAudit: ({ organizationId, page }, context) => {
			assertOrganization(context, organizationId);
			return listPage(sql, organizationId.toLowerCase(), page);
		},
	});
}

async function listPage(
	sql: Db,
	organizationId: string | undefined,
	page: PageRequest | undefined,
) {
	const limit = page?.limit ?? 0;
	const after = pageStart(page);
	if (after !== undefined && !isUuid(after.id)) throw invalidCursor();
	const found = await listAuditEntries(sql, organizationId, { limit, after });
	const { rows, next } = cutPage(found, limit);
	return { entries: rows.map(auditEntryToProto), ...(next && { next }) };
}

function invalidCursor(): DomainError {
	return new DomainError({
		kind: "invalid",
		reason: "invalid_cursor",
		field: "cursor",
		message: "The cursor does not belong to this list.",
	});
}

function auditEntryToProto(
	row: AuditEntryRow,
): MessageInitShape<typeof AuditEntrySchema> {
	const { id, actorKind, actor, action, before, after } = row;
	return {
		id,
		actorKind,
		actor,
		action,
		createdAt: timestampFromDate(row.createdAt),
		organizationId: row.organizationId ?? "",
		address: row.address ?? "",
		subject: row.subject ?? "",
		before: before === null ? "" : JSON.stringify(before),
		after: after === null ? "" : JSON.stringify(after),
	};
}
