import { transaction } from "@airtower/platform/database/database";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { SendResult } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import { type Draft, toMessage } from "../draft-messages.ts";
import { holdLease, type Leased } from "../store/campaign-leases.ts";
import { takeShare } from "../store/quota-shares.ts";
import type { PendingRecipient } from "../store/recipients.ts";
import { insertSentBatch, type SentBatch } from "../store/sent-batches.ts";

const SEND_TIMEOUT_MS = 15_000;

/** The campaign is somebody else's, or was paused or cancelled. */
export const LEASE_LOST = "lease_lost";

/**
 * Takes what the campaigns' share of a granted quota has for these drafts and remembers, in the same transaction, that
 * they are about to be sent: a call whose response is lost is made again under the same keys, and pays from this share.
 * A change on request waits for this transaction, or is seen by it: it knows of every batch that may be sent.
 * Undefined when the share has nothing.
 */
export function beginBatch(
	{ sql }: Context,
	campaign: Leased,
	drafts: readonly Draft<PendingRecipient>[],
): Promise<SentBatch | typeof LEASE_LOST | undefined> {
	const { id: campaignId, organizationId } = campaign;
	return transaction(sql, async (sql) => {
		if ((await holdLease(sql, campaign)) === undefined) return LEASE_LOST;
		const share = await takeShare(sql, organizationId, drafts.length);
		const sendable = drafts.slice(0, share);
		if (sendable.length === 0) return undefined;
		const batch = {
			id: uuidv7(),
			sequences: sendable.map(({ sequence }) => sequence),
			share: share ?? null,
		};
		await insertSentBatch(sql, campaignId, batch);
		return batch;
	});
}

/**
 * One result for each draft. Throws when it is not known what became of them, and when the lease under which the batch
 * was begun may have ended: by now the campaign may be cancelled, with all its batches settled.
 * @param replayOnly they tell who was sent to before, and nobody else is
 */
export async function sendDrafts(
	ctx: Context,
	campaign: Leased,
	drafts: readonly Draft[],
	replayOnly: boolean,
): Promise<readonly SendResult[]> {
	if (drafts.length === 0) return [];
	if (performance.now() >= campaign.heldUntil)
		throw new Error(
			"The process has stood still: the campaign may be another's.",
		);
	const messages = drafts.map((draft) => toMessage(campaign, draft));
	const request = { messages, replayOnly };
	const { results } = await onBehalfOf(campaign.organizationId, () =>
		ctx.messaging.sendMessages(request, { timeoutMs: SEND_TIMEOUT_MS }),
	);
	return results;
}
