import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { listUndebited } from "../../store/undebited-messages.ts";
import type { Handler } from "../handler.ts";
import { readPage } from "../read-page.ts";

/** Only for a caller of every organization. */
export const listUndebitedMessages: Handler<
	typeof AccountsAdminService.method.listUndebitedMessages
> = async (ctx, request, context) => {
	assertOrganization(context, "*");
	const page = readPage(request.page);
	const found = await listUndebited(ctx.sql, page);
	const { rows, next } = cutPage(found, page.limit);
	const messages = rows.map(({ createdAt, ...row }) => ({
		...row,
		foundAt: timestampFromDate(createdAt),
	}));
	return { messages, ...(next && { next }) };
};
