import { type Tx, transaction } from "@airtower/platform/database/database";
import type { Context } from "./context.ts";
import { covers } from "./domain/key-bounds.ts";
import { scopeNotAllowed, unknownApiKey } from "./errors.ts";
import { publishChange } from "./publish-change.ts";
import { markRevoked } from "./store/api-keys.ts";
import { lockUsableKey } from "./store/usable-keys.ts";

/**
 * Revokes a key and tells the gateways, which hold verified keys for a while. Throws unknown_api_key, or
 * scope_not_allowed when the calling key has not all its scopes; an admin has none.
 */
export async function revokeKey(
	ctx: Pick<Context, "sql" | "wakeRelay">,
	organizationId: string,
	apiKeyId: string,
	callerApiKeyId?: string,
): Promise<void> {
	await transaction(ctx.sql, async (sql) => {
		await revoke(sql, organizationId, apiKeyId, callerApiKeyId);
		await publishChange(sql, organizationId, {
			case: "apiKeyRevoked",
			value: { apiKeyId },
		});
	});
	ctx.wakeRelay();
}

async function revoke(
	sql: Tx,
	organizationId: string,
	apiKeyId: string,
	callerApiKeyId: string | undefined,
): Promise<void> {
	const caller =
		callerApiKeyId &&
		(await lockUsableKey(sql, organizationId, callerApiKeyId));
	const scopes = await markRevoked(sql, organizationId, apiKeyId);
	if (scopes === undefined) throw unknownApiKey();
	if (caller && !covers(caller, scopes))
		throw scopeNotAllowed("A key may revoke only keys whose scopes it has.");
}
