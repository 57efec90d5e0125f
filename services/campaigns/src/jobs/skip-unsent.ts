import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import {
	holdLease,
	type Leased,
	releaseCampaign,
} from "../store/campaign-leases.ts";
import { addProgress } from "../store/campaign-progress.ts";
import { deleteIdleShares } from "../store/quota-shares.ts";
import { hasPendingRecipients, skipPending } from "../store/recipients.ts";

const RECIPIENTS_PER_STEP = 5_000;
/** A large campaign then goes behind the others that are due. */
const STEPS_PER_TURN = 10;
/** Until recipients that were locked by their own results are looked at again. */
const LOCKED_RETRY_MS = 1_000;

/**
 * Skips those to whom a cancelled campaign has not sent, for one round. A message that was sent all the same counts.
 */
export async function skipUnsent(
	ctx: Context,
	campaign: Leased,
	signal: AbortSignal,
): Promise<void> {
	await deleteIdleShares(ctx.sql, [campaign.organizationId]);
	for (let step = 0; step < STEPS_PER_TURN && !signal.aborted; step++) {
		if ((await holdLease(ctx.sql, campaign)) === undefined) return;
		const skipped = await skipStep(ctx, campaign.id);
		if (skipped > 0) continue;
		const isAnyLeft = await hasPendingRecipients(ctx.sql, campaign.id);
		const dueInMs = isAnyLeft ? LOCKED_RETRY_MS : null;
		return releaseCampaign(ctx.sql, campaign, dueInMs);
	}
	await releaseCampaign(ctx.sql, campaign, 0);
}

function skipStep({ sql }: Context, campaignId: string): Promise<number> {
	return transaction(sql, async (sql) => {
		const limit = RECIPIENTS_PER_STEP;
		const skipped = await skipPending(sql, campaignId, "cancelled", limit);
		await addProgress(sql, campaignId, { skipped });
		return skipped;
	});
}
