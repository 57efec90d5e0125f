import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	IssueApiKeyRequest,
	IssueApiKeyResponseSchema,
} from "@airtower/proto/accounts/v1/admin";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import {
	apiKeyRefusalOf,
	readApiKeyOrder,
	storeApiKey,
} from "../api-key-order.ts";
import type { AccountsContext } from "../context.ts";
import { SCOPES } from "../domain/scopes.ts";

/** Issues a key, with all scopes when none is named. This answer is the only one that holds the secret. */
export async function issueApiKey(
	ctx: AccountsContext,
	request: IssueApiKeyRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof IssueApiKeyResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const order = readApiKeyOrder(request, ctx.clock());
	const scopes = order.scopes.length === 0 ? SCOPES : order.scopes;
	try {
		const { row, secret } = await transaction(ctx.sql, (sql) =>
			storeApiKey(ctx, sql, { ...order, scopes }),
		);
		return { apiKeyId: row.id, secret };
	} catch (error) {
		throw apiKeyRefusalOf(error);
	}
}
