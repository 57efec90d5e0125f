import type { AccountsClient, CommonContext } from "./context.ts";
import { deleteReleases, type QuotaRelease } from "./store/quota-releases.ts";

const NOTE = "The message was canceled.";

export interface GiveBackContext extends Pick<CommonContext, "sql"> {
	readonly accounts: AccountsClient;
}

/** Gives the quota of canceled messages back, which accounts does once for each; then nothing is left to be done. */
export async function giveBackQuota(
	{ sql, accounts }: GiveBackContext,
	releases: readonly QuotaRelease[],
): Promise<void> {
	if (releases.length === 0) return;
	await accounts.releaseQuota({
		releases: releases.map((release) => ({ ...release, note: NOTE })),
	});
	await deleteReleases(
		sql,
		releases.map(({ messageId }) => messageId),
	);
}
