import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import { updateLastUsed } from "../store/usable-keys.ts";

/** Writes when keys were last used; what cannot be written now is kept for the next round. */
export async function recordKeyUsage(
	ctx: Pick<Context, "sql" | "keyUsage">,
): Promise<number> {
	const uses = [...ctx.keyUsage].map(([apiKeyId, usedAt]) => ({
		apiKeyId,
		usedAt,
	}));
	ctx.keyUsage.clear();
	if (uses.length === 0) return 0;
	try {
		await transaction(ctx.sql, (sql) => updateLastUsed(sql, uses));
	} catch (error) {
		for (const { apiKeyId, usedAt } of uses)
			ctx.keyUsage.set(apiKeyId, ctx.keyUsage.get(apiKeyId) ?? usedAt);
		throw error;
	}
	return 0;
}
