import { type GiveBackContext, giveBackQuota } from "../give-back-quota.ts";
import { findReleases } from "../store/quota-releases.ts";

/** Most that accounts takes in a call. */
const BATCH_SIZE = 500;
/** Until then whoever canceled the message gives its quota back, ms. */
const ABANDONED_AFTER_MS = 5_000;

/** Gives back the quota of canceled messages that a process left, or that accounts did not take; returns how many. */
export async function giveBackAbandoned(ctx: GiveBackContext): Promise<number> {
	const releases = await findReleases(ctx.sql, ABANDONED_AFTER_MS, BATCH_SIZE);
	await giveBackQuota(ctx, releases);
	return releases.length;
}
