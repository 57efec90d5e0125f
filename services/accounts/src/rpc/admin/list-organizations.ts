import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { listOrganizations as listRows } from "../../store/organizations.ts";
import type { Handler } from "../handler.ts";
import { readPage } from "../read-page.ts";
import { organizationToProto } from "./organization-to-proto.ts";

/** Only for a caller of every organization. */
export const listOrganizations: Handler<
	typeof AccountsAdminService.method.listOrganizations
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const page = readPage(request.page);
	const { rows, next } = cutPage(await listRows(ctx.sql, page), page.limit);
	return {
		organizations: rows.map(organizationToProto),
		...(next && { next }),
	};
};
