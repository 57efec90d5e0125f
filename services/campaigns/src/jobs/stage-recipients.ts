import type { Context } from "../context.ts";
import {
	holdLease,
	type Leased,
	pauseCampaign,
} from "../store/campaign-leases.ts";
import { markStaged } from "../store/campaign-progress.ts";
import {
	findPendingRecipients,
	type PendingRecipient,
} from "../store/recipients.ts";
import { type Obstacle, sendBatch, skipRefused } from "./send-batch.ts";

/** Recipients in one call of SendMessages. */
const BATCH_RECIPIENTS = 500;
/** A large campaign then goes behind the others that are due. */
const BATCHES_PER_ROUND = 20;
/** While the results of one batch are stored, messaging works on others. */
const MAX_BATCHES_IN_FLIGHT = 4;
/** Recipients that a paused campaign tries, to learn whether the reason of its pause is gone. */
const PROBE_RECIPIENTS = 1;

/** `stopped`: not done yet, as far as this job knows. */
export type StageResult = "staged" | "stopped" | "paused";

/**
 * Sends to pending recipients for one round. A refusal of the whole campaign pauses it; when its organization is
 * closed for good, it skips the refused.
 */
export async function stageRecipients(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): Promise<StageResult> {
	const obstacle = await sendRound(ctx, campaign, isClosed, signal);
	if (obstacle !== undefined) {
		await pauseCampaign(ctx.sql, campaign, obstacle.reason);
		return "paused";
	}
	const first = { after: 0, limit: 1 };
	const left = await findPendingRecipients(ctx.sql, campaign.id, first);
	if (left.length > 0) return "stopped";
	await markStaged(ctx.sql, campaign);
	return "staged";
}

/** Ends when no batch is in flight any more, with what stopped it. */
async function sendRound(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): Promise<Obstacle | undefined> {
	const batches = pendingBatches(ctx, campaign, isClosed, signal);
	const senders = campaign.status === "paused" ? 1 : MAX_BATCHES_IN_FLIGHT;
	const ends = await Promise.allSettled(
		Array.from({ length: senders }, () =>
			sendAll(ctx, campaign, isClosed, batches),
		),
	);
	const obstacles = ends.map((end) => {
		if (end.status === "rejected") throw end.reason;
		return end.value;
	});
	return obstacles.find((one) => one !== undefined);
}

/** Sends batch after batch. The first sender to stop, for an obstacle or an error, ends the batches for all. */
async function sendAll(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	batches: AsyncIterable<readonly PendingRecipient[]>,
): Promise<Obstacle | undefined> {
	for await (const recipients of batches) {
		const obstacle = await sendBatch(ctx, campaign, recipients);
		if (obstacle === undefined) continue;
		if (!isClosed) return obstacle;
		await skipRefused(ctx, campaign, obstacle.phones);
	}
	return undefined;
}

/** The batches of one round in the order of the snapshot, each recipient once, while the lease lasts. */
async function* pendingBatches(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): AsyncGenerator<readonly PendingRecipient[]> {
	let after = 0;
	for (let nth = 0; nth < BATCHES_PER_ROUND && !signal.aborted; nth++) {
		const current = await holdLease(ctx.sql, campaign);
		if (current === undefined) return;
		const isProbe = current.status === "paused" && !isClosed;
		const recipients = await findPendingRecipients(ctx.sql, campaign.id, {
			after,
			limit: isProbe ? PROBE_RECIPIENTS : BATCH_RECIPIENTS,
		});
		const last = recipients.at(-1);
		if (last === undefined) return;
		after = last.sequence;
		yield recipients;
	}
}
