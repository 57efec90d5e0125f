import { cutPage } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { listApiKeys as listRows } from "../store/api-keys.ts";
import { apiKeyToProto } from "./api-key-to-proto.ts";
import type { Handler } from "./handler.ts";
import { readPage } from "./read-page.ts";

export const listApiKeys: Handler<
	typeof AccountService.method.listApiKeys
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const page = readPage(request.page);
	const found = await listRows(ctx.sql, request.organizationId, page);
	const { rows, next } = cutPage(found, page.limit);
	const now = ctx.clock();
	const apiKeys = rows.map((row) => apiKeyToProto(row, now));
	return { apiKeys, ...(next && { next }) };
};
