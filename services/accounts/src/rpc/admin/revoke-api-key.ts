import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import { revokeKey } from "../../revoke-key.ts";
import type { Handler } from "../handler.ts";

export const revokeApiKey: Handler<
	typeof AccountsAdminService.method.revokeApiKey
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const apiKeyId = request.apiKeyId.toLowerCase();
	await revokeKey(ctx, context, { organizationId, apiKeyId });
	return {};
};
