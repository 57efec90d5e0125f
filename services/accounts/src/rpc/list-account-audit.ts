import {
	auditEntryToProto,
	listAuditEntries,
} from "@airtower/platform/audit/audit-entries";
import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import type { Handler } from "./handler.ts";
import { readPage } from "./read-page.ts";

/** What admins have done to the organization and keys to each other. */
export const listAccountAudit: Handler<
	typeof AccountService.method.listAccountAudit
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const page = readPage(request.page);
	const found = await listAuditEntries(ctx.sql, request.organizationId, page);
	const { rows, next } = cutPage(found, page.limit);
	return { entries: rows.map(auditEntryToProto), ...(next && { next }) };
};
