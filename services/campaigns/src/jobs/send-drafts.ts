import { transaction } from "@airtower/platform/database/database";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { SendResult } from "@airtower/proto/messaging/v1/messaging";
import type { Context } from "../context.ts";
import { type Draft, toMessage } from "../draft-messages.ts";
import type { Leased } from "../store/campaign-leases.ts";
import { takeShare } from "../store/quota-shares.ts";
import type { PendingRecipient } from "../store/recipients.ts";
import { insertSentBatch, type SentBatch } from "../store/sent-batches.ts";

const SEND_TIMEOUT_MS = 15_000;

/**
 * Takes what the campaigns' share of a granted quota has for these drafts and remembers, in the same transaction, that
 * they are about to be sent: a call whose response is lost is made again under the same keys, and pays from this share.
 * Undefined when the share has nothing.
 */
export function beginBatch(
	{ sql }: Context,
	{ id: campaignId, organizationId }: Leased,
	drafts: readonly Draft<PendingRecipient>[],
): Promise<SentBatch | undefined> {
	return transaction(sql, async (sql) => {
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
 * One result for each draft; of a cancelled campaign they tell who was sent to before, and nobody else is. Throws when
 * it is not known what became of them.
 */
export async function sendDrafts(
	ctx: Context,
	campaign: Leased,
	drafts: readonly Draft[],
): Promise<readonly SendResult[]> {
	if (drafts.length === 0) return [];
	const messages = drafts.map((draft) => toMessage(campaign, draft));
	const replayOnly = campaign.status === "cancelled";
	const request = { messages, replayOnly };
	const { results } = await onBehalfOf(campaign.organizationId, () =>
		ctx.messaging.sendMessages(request, { timeoutMs: SEND_TIMEOUT_MS }),
	);
	return results;
}
