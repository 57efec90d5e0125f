import type { Context } from "../context.ts";
import {
	claimDueAccounts,
	findReadableAccounts,
	makeAccountDue,
} from "../store/accounts.ts";
import { syncAccountTemplates } from "../sync-account-templates.ts";

/** How often templates are read, ms: callbacks alone miss some changes. */
const POLL_MS = 15 * 60_000;
const RETRY_MS = 60_000;
const BATCH = 10;

/** Reads the templates of accounts that are due; returns how many accounts. */
export async function pollTemplates(ctx: Context): Promise<number> {
	const due = await claimDueAccounts(ctx.sql, POLL_MS, BATCH);
	for (const { organizationId, providerAccountId } of due) {
		const readable = await findReadableAccounts(ctx.sql, organizationId);
		const account = readable.find(
			(one) => one.providerAccountId === providerAccountId,
		);
		if (account === undefined) continue;
		try {
			await syncAccountTemplates(ctx, account);
		} catch (error) {
			ctx.log.warn({ err: error, organizationId }, "templates were not read");
			await makeAccountDue(ctx.sql, providerAccountId, RETRY_MS);
		}
	}
	return due.length;
}
