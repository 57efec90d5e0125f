import { transaction } from "@airtower/platform/database";
import { openSecret } from "@airtower/platform/secret-box";
import type { WhatsappContext } from "./context.ts";
import type { ReadableAccount } from "./store/accounts.ts";
import {
	disableUnlistedTemplates,
	upsertTemplates,
} from "./store/templates.ts";

/**
 * Reads a business account's templates from the provider and stores them; those that are no longer
 * listed are disabled. Answers how many were listed. Throws unavailable `provider_unavailable`.
 */
export async function syncTemplates(
	ctx: WhatsappContext,
	account: ReadableAccount,
): Promise<number> {
	const { organizationId, providerAccountId } = account;
	const token = openSecret(
		ctx.ring,
		account.accessToken,
		account.phoneNumberId,
	).toString();
	const observedAt = ctx.clock();
	const templates = await ctx.provider.listTemplates(providerAccountId, token);
	await transaction(ctx.sql, async (sql) => {
		await upsertTemplates(
			sql,
			organizationId,
			providerAccountId,
			templates,
			observedAt,
		);
		await disableUnlistedTemplates(
			sql,
			organizationId,
			providerAccountId,
			observedAt,
		);
	});
	return templates.length;
}
