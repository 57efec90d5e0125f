import { assertOrganization } from "@airtower/platform/rpc/caller";
import { isUuid } from "@airtower/platform/runtime/ids";
import type {
	DeleteApiKeyRequest,
	DeleteApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/account";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { unknownApiKey } from "../errors.ts";
import { revokeKey } from "../revoke-key.ts";

/** Revokes a key of the organization, the calling one included. A malformed id is an unknown one. */
export async function deleteApiKey(
	ctx: AccountsContext,
	request: DeleteApiKeyRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof DeleteApiKeyResponseSchema>> {
	assertOrganization(context, request.organizationId);
	if (!isUuid(request.apiKeyId)) throw unknownApiKey();
	const organizationId = request.organizationId.toLowerCase();
	await revokeKey(ctx, organizationId, request.apiKeyId.toLowerCase());
	return {};
}
