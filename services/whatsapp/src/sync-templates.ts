import { retryConflicts } from "@airtower/platform/database/database";
import { openSecret } from "@airtower/platform/runtime/secret-box";
import type { Context } from "./context.ts";
import type { ReadableAccount } from "./store/accounts.ts";
import {
	disableUnlistedTemplates,
	upsertTemplates,
} from "./store/template-changes.ts";

/** Templates stored by one statement: a slow database, too, does it in time. */
const STEP_TEMPLATES = 300;

/**
 * Reads a business account's templates from the provider and stores them, a few hundred at a time; then those
 * that are no longer listed are disabled. Returns how many were listed.
 * Throws unavailable `provider_unavailable`, and conflict `provider_refused` when token or account are wrong.
 */
export async function syncTemplates(
	ctx: Context,
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
	for (let from = 0; from < templates.length; from += STEP_TEMPLATES) {
		const part = templates.slice(from, from + STEP_TEMPLATES);
		await retryConflicts(() =>
			upsertTemplates(
				ctx.sql,
				organizationId,
				providerAccountId,
				part,
				observedAt,
			),
		);
	}
	await retryConflicts(() =>
		disableUnlistedTemplates(
			ctx.sql,
			organizationId,
			providerAccountId,
			observedAt,
		),
	);
	return templates.length;
}
