import { recordAct } from "@airtower/platform/audit/record-act";
import { transaction } from "@airtower/platform/database/database";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { AccountsAdminService } from "@airtower/proto/accounts/v1/admin";
import {
	apiKeyFacts,
	readApiKeyRequest,
	storeApiKey,
	toApiKeyRefusal,
} from "../../api-key-request.ts";
import { SCOPES } from "../../domain/scopes.ts";
import type { Handler } from "../handler.ts";

/** Issues a key, with all scopes when none is named. No other response contains the secret. */
export const issueApiKey: Handler<
	typeof AccountsAdminService.method.issueApiKey
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const wanted = readApiKeyRequest(request, ctx.clock());
	const scopes = wanted.scopes.length === 0 ? SCOPES : wanted.scopes;
	try {
		const { row, secret } = await transaction(ctx.sql, async (sql) => {
			const made = await storeApiKey(ctx, sql, { ...wanted, scopes });
			const { organizationId } = wanted;
			const after = apiKeyFacts(made.row);
			const subject = made.row.id;
			await recordAct(sql, context, { organizationId, subject, after });
			return made;
		});
		return { apiKeyId: row.id, secret };
	} catch (error) {
		throw toApiKeyRefusal(error);
	}
};
