import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import { updateLastUsed } from "../store/usable-keys.ts";

/** Writes when keys were last used; what cannot be written now is kept for the next round. */
export async function recordKeyUsage(
	ctx: Pick<Context, "sql" | "keyUsage">,
): Promise<number> {
	const uses = ctx.keyUsage.take();
	if (uses.length === 0) return 0;
	try {
		await transaction(ctx.sql, (sql) => updateLastUsed(sql, uses));
	} catch (error) {
		for (const use of uses) ctx.keyUsage.record(use.apiKeyId, use.usedAt);
		throw error;
	}
	return 0;
}
