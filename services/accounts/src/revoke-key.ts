import { type Act, recordAct } from "@airtower/platform/audit/record-act";
import { type Tx, transaction } from "@airtower/platform/database/database";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "./context.ts";
import { covers } from "./domain/key-bounds.ts";
import { scopeNotAllowed, unknownApiKey } from "./errors.ts";
import { publishChange } from "./publish-change.ts";
import { markRevoked, type RevokedKeyRow } from "./store/api-keys.ts";
import { lockUsableKey } from "./store/usable-keys.ts";

/** `by`: the calling key; an admin has none. */
interface Revocation extends Pick<Act, "by"> {
	readonly organizationId: string;
	readonly apiKeyId: string;
}

/**
 * Revokes a key and tells the gateways, which remember verified keys for a while. Throws unknown_api_key, or
 * scope_not_allowed when the calling key has not all its scopes.
 */
export async function revokeKey(
	ctx: Pick<Context, "sql" | "wakeRelay">,
	context: HandlerContext,
	revocation: Revocation,
): Promise<void> {
	const { organizationId, apiKeyId: subject, ...by } = revocation;
	await transaction(ctx.sql, async (sql) => {
		const before = await revoke(sql, revocation);
		await publishChange(sql, organizationId, {
			case: "apiKeyRevoked",
			value: { apiKeyId: subject },
		});
		await recordAct(sql, context, { organizationId, subject, before, ...by });
	});
	ctx.wakeRelay();
}

async function revoke(
	sql: Tx,
	{ organizationId, apiKeyId, by }: Revocation,
): Promise<RevokedKeyRow> {
	const caller = by && (await lockUsableKey(sql, organizationId, by.apiKeyId));
	const revoked = await markRevoked(sql, organizationId, apiKeyId);
	if (revoked === undefined) throw unknownApiKey();
	if (caller && !covers(caller, revoked.scopes))
		throw scopeNotAllowed("A key may revoke only keys whose scopes it has.");
	return revoked;
}
