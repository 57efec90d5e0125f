import { transaction } from "@airtower/platform/database";
import { assertOrganization } from "@airtower/platform/rpc-caller";
import type {
	RevokeApiKeyRequest,
	RevokeApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { AccountsContext } from "../context.ts";
import { unknownApiKey } from "../errors.ts";
import { publishChange } from "../publish-change.ts";
import { markRevoked } from "../store/api-keys.ts";

/** Revokes a key and tells the gateways, which hold verified keys for a while. */
export async function revokeApiKey(
	ctx: AccountsContext,
	request: RevokeApiKeyRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof RevokeApiKeyResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const organizationId = request.organizationId.toLowerCase();
	const apiKeyId = request.apiKeyId.toLowerCase();
	await transaction(ctx.sql, async (sql) => {
		if (!(await markRevoked(sql, organizationId, apiKeyId)))
			throw unknownApiKey();
		await publishChange(sql, organizationId, {
			case: "apiKeyRevoked",
			value: { apiKeyId },
		});
	});
	ctx.pokeRelay();
	return {};
}
