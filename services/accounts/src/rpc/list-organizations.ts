import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListOrganizationsRequest,
	ListOrganizationsResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { listOrganizations as listRows } from "../store/organizations.ts";
import { organizationToProto } from "./organization-to-proto.ts";
import { readPage } from "./read-page.ts";

/** One page of organizations, newest first. Only for a caller of every organization. */
export async function listOrganizations(
	ctx: AccountsContext,
	request: ListOrganizationsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListOrganizationsResponseSchema>> {
	assertOrganization(context, "*");
	const page = readPage(request.page);
	const { rows, next } = cutPage(await listRows(ctx.sql, page), page.limit);
	return {
		organizations: rows.map(organizationToProto),
		...(next && { next }),
	};
}
