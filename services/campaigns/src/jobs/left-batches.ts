import type { Context } from "../context.ts";
import { toDraft } from "../draft-messages.ts";
import { holdLease, type Leased } from "../store/campaign-leases.ts";
import { isCancelledWithin } from "../store/campaign-progress.ts";
import { findShare } from "../store/quota-shares.ts";
import {
	findSentBatches,
	findUnsettled,
	type SentBatch,
} from "../store/sent-batches.ts";
import { sendAndSettle } from "./send-batch.ts";

const ALL_BATCHES = Number.MAX_SAFE_INTEGER;
/**
 * A call begins within the lease of 10 s that a cancellation ends, gives up after 15 s, and what messaging has paid for
 * by then is stored within 20 s or never.
 */
const LONGEST_CALL_MS = 45_000;

/**
 * Sends again what a crash or a lost response has left without a result, and who must wait for a route: what was stored
 * is replayed, and pays from the share that its batch has taken. One from before the quota was shared is only replayed:
 * whoever of it was not sent to comes with another batch, which takes from the share.
 * @param limit batches, drawn at random: those that wait for long keep none of the others waiting
 */
export async function repeatLeftBatches(
	ctx: Context,
	campaign: Leased,
	limit: number,
): Promise<void> {
	const batches = await findSentBatches(ctx.sql, campaign.id, limit);
	await repeatBatches(ctx, campaign, batches);
}

/**
 * Learns of a cancelled campaign to whom its left batches were sent: nothing more is sent. False when some of it must
 * be asked for again, or as long as calls from before the cancellation may be under way.
 */
export async function settleLeftBatches(
	ctx: Context,
	campaign: Leased,
): Promise<boolean> {
	const { id } = campaign;
	const batches = await findSentBatches(ctx.sql, id, ALL_BATCHES);
	if (batches.length === 0) return true;
	if (await isCancelledWithin(ctx.sql, id, LONGEST_CALL_MS)) return false;
	await repeatBatches(ctx, campaign, batches);
	return (await findSentBatches(ctx.sql, id, 1)).length === 0;
}

async function repeatBatches(
	ctx: Context,
	campaign: Leased,
	batches: readonly SentBatch[],
): Promise<void> {
	for (const batch of batches) {
		// A change on request or another process may have taken the campaign since the batch before.
		const held = await holdLease(ctx.sql, campaign);
		if (held === undefined) return;
		const { sequences } = batch;
		const left = await findUnsettled(ctx.sql, held.id, sequences);
		const drafts = left.map((one) => toDraft(held, one));
		const sending = (await mayPay(ctx, held, batch)) ? "again" : "replay";
		await sendAndSettle(ctx, held, batch, drafts, sending, []);
	}
}

/** What has reserved nothing since the quota is shared must not use what is left to single sends. */
async function mayPay(
	{ sql }: Context,
	{ status, organizationId }: Leased,
	{ share }: SentBatch,
): Promise<boolean> {
	if (status === "cancelled") return false;
	return share !== null || (await findShare(sql, organizationId)) === undefined;
}
