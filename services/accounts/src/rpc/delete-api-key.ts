import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { AccountService } from "@airtower/proto/accounts/v1/account";
import { unknownApiKey } from "../errors.ts";
import { revokeKey } from "../revoke-key.ts";
import type { Handler } from "./handler.ts";

/** Revokes a key whose scopes the calling key has, itself included. A malformed id is an unknown one. */
export const deleteApiKey: Handler<
	typeof AccountService.method.deleteApiKey
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	if (!isUuid(request.apiKeyId)) throw unknownApiKey();
	const organizationId = request.organizationId.toLowerCase();
	const by = {
		apiKeyId: request.callerApiKeyId.toLowerCase(),
		address: request.callerAddress,
	};
	const apiKeyId = request.apiKeyId.toLowerCase();
	await revokeKey(ctx, context, { organizationId, apiKeyId, by });
	return {};
};
