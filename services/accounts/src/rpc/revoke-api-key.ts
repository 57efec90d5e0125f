import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	RevokeApiKeyRequest,
	RevokeApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { revokeKey } from "../revoke-key.ts";

/** Revokes any organization's key. */
export async function revokeApiKey(
	ctx: AccountsContext,
	request: RevokeApiKeyRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof RevokeApiKeyResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	await revokeKey(ctx, organizationId, request.apiKeyId.toLowerCase());
	return {};
}
