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
/** Accounts that are read at a time: the provider takes a second or more for each, and thousands are due within a poll. */
const AT_A_TIME = 5;

/** Reads the templates of accounts that are due; returns how many accounts. */
export async function pollTemplates(ctx: Context): Promise<number> {
	const due = await claimDueAccounts(ctx.sql, POLL_MS, AT_A_TIME);
	await Promise.all(due.map((account) => readTemplates(ctx, account)));
	return due.length;
}

async function readTemplates(
	ctx: Context,
	{
		organizationId,
		providerAccountId,
	}: Awaited<ReturnType<typeof claimDueAccounts>>[number],
): Promise<void> {
	try {
		const readable = await findReadableAccounts(ctx.sql, organizationId);
		const account = readable.find(
			(one) => one.providerAccountId === providerAccountId,
		);
		if (account !== undefined) await syncAccountTemplates(ctx, account);
	} catch (error) {
		ctx.log.warn({ err: error, organizationId }, "templates were not read");
		await makeAccountDue(ctx.sql, providerAccountId, RETRY_MS);
	}
}
