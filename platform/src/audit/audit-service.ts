import { AuditService } from "@airtower/proto/ops/v1/audit";
import type { Db } from "../database/database.ts";
import { cutPage, pageStart } from "../database/page.ts";
import { assertOrganization } from "../rpc/caller.ts";
import { type RpcRoute, rpcRoute } from "../rpc/route.ts";
import { auditEntryToProto, listAuditEntries } from "./audit-entries.ts";

/** AuditService, by which an admin sees what was done in the service. */
export function auditRoute(sql: Db): RpcRoute {
	return rpcRoute(AuditService, {
		async listAuditEntries({ organizationId, page }, context) {
			assertOrganization(context, organizationId || "*");
			const limit = page?.limit ?? 0;
			const found = await listAuditEntries(
				sql,
				organizationId.toLowerCase() || undefined,
				{ limit, after: pageStart(page) },
			);
			const { rows, next } = cutPage(found, limit);
			return { entries: rows.map(auditEntryToProto), ...(next && { next }) };
		},
	});
}
