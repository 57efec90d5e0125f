import {
	retryConflicts,
	type Tx,
	transaction,
} from "@airtower/platform/database/database";
import { openSecret } from "@airtower/platform/sealing/sealed-secret";
import type { Context } from "./context.ts";
import type { ReadableAccount } from "./store/accounts.ts";
import {
	disableUnlistedTemplates,
	findReadingTime,
	upsertTemplates,
} from "./store/template-changes.ts";

/** Most templates of one statement: a slow database, too, stores them within the statement's time-out. */
const STEP_TEMPLATES = 300;

/**
 * Stores an account's templates and disables those that are no longer listed; returns how many were.
 * `record` runs in the last transaction.
 * @throws unavailable `provider_unavailable`; conflict `provider_refused` when token or account are wrong
 */
export async function syncAccountTemplates(
	{ sql, ring, provider }: Context,
	account: ReadableAccount,
	record: (sql: Tx, templates: number) => Promise<void> = async () => {},
): Promise<number> {
	const { organizationId, providerAccountId, phoneNumberId } = account;
	const token = openSecret(ring, account.accessToken, phoneNumberId).toString();
	const observedAt = await findReadingTime(sql);
	const templates = await provider.listTemplates(providerAccountId, token);
	for (let from = 0; from < templates.length; from += STEP_TEMPLATES) {
		const part = templates.slice(from, from + STEP_TEMPLATES);
		await retryConflicts(() =>
			upsertTemplates(sql, organizationId, providerAccountId, part, observedAt),
		);
	}
	await transaction(sql, async (sql) => {
		await disableUnlistedTemplates(
			sql,
			organizationId,
			providerAccountId,
			observedAt,
		);
		await record(sql, templates.length);
	});
	return templates.length;
}
