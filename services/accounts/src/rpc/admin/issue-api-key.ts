import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import {
	readApiKeyOrder,
	storeApiKey,
	toApiKeyRefusal,
} from "../../api-key-order.ts";
import { SCOPES } from "../../domain/scopes.ts";
import type { Handler } from "../handler.ts";

/** Issues a key, with all scopes when none is named. No other response holds the secret. */
export const issueApiKey: Handler<
	typeof AccountsAdminService.method.issueApiKey
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const order = readApiKeyOrder(request, ctx.clock());
	const scopes = order.scopes.length === 0 ? SCOPES : order.scopes;
	try {
		const { row, secret } = await transaction(ctx.sql, (sql) =>
			storeApiKey(ctx, sql, { ...order, scopes }),
		);
		return { apiKeyId: row.id, secret };
	} catch (error) {
		throw toApiKeyRefusal(error);
	}
};
