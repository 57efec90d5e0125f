import type { CampaignsContext } from "../context.ts";
import {
	holdLease,
	type Leased,
	markStaged,
	pauseCampaign,
} from "../store/campaigns.ts";
import {
	listPendingRecipients,
	type PendingRecipient,
} from "../store/recipients.ts";
import { LEASE_MS } from "./lease.ts";
import { type Obstacle, sendBatch } from "./send-batch.ts";
import { skipRefused } from "./skip-refused.ts";

/** Recipients in one call of SendMessages. */
const BATCH_RECIPIENTS = 500;
/** Batches in one turn: a large campaign then goes behind the others that are due. */
const BATCHES_PER_TURN = 20;
/** Batches under way at once: enough that while one is answered, and noted, others are worked on. */
const LANES = 4;
/** Recipients of a batch by which a paused campaign asks whether its reason has gone. */
const PROBE_RECIPIENTS = 1;
/**
 * A paused campaign asks again by itself after as long as it has been paused, within these bounds, ms:
 * news of its reason may be lost, and of some reasons there is none.
 */
const PROBE_PAUSE_MS = { shortest: 30_000, longest: 600_000 };

/** `stopped`: not done yet, as far as this job knows. */
export type StageResult = "staged" | "stopped" | "paused";

/**
 * Sends to pending recipients, in batches of which some are under way at once, for one turn. Each message
 * carries an idempotency key made of campaign and phone: after a crash between the send and its note, the same
 * recipients are answered from the record and nobody is sent to twice. A refusal of the whole campaign pauses
 * it, or, when its organization is closed for good, skips those that it was said of.
 */
export async function stageRecipients(
	ctx: CampaignsContext,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): Promise<StageResult> {
	const batches = pendingBatches(ctx, campaign, isClosed, signal);
	const lanes = campaign.status === "paused" ? 1 : LANES;
	const ends = await Promise.allSettled(
		Array.from({ length: lanes }, () =>
			sendAll(ctx, campaign, isClosed, batches),
		),
	);
	const obstacles = ends.map((end) => {
		if (end.status === "rejected") throw end.reason;
		return end.value;
	});
	const obstacle = obstacles.find((one) => one !== undefined);
	if (obstacle !== undefined) {
		await pauseCampaign(ctx.sql, campaign, obstacle.reason, PROBE_PAUSE_MS);
		return "paused";
	}
	const left = await listPendingRecipients(ctx.sql, campaign.id, 0, 1);
	if (left.length > 0) return "stopped";
	await markStaged(ctx.sql, campaign.id);
	return "staged";
}

/** One lane. The first to leave the batches, for an obstacle or an error, ends them for all. */
async function sendAll(
	ctx: CampaignsContext,
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

/**
 * The batches of one turn, in the order of the snapshot, each recipient once, while the lease is held: who
 * could not be settled is for the next turn.
 */
async function* pendingBatches(
	ctx: CampaignsContext,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): AsyncGenerator<readonly PendingRecipient[]> {
	let after = 0;
	for (let nth = 0; nth < BATCHES_PER_TURN && !signal.aborted; nth++) {
		const current = await holdLease(ctx.sql, campaign, LEASE_MS);
		if (current === undefined) return;
		const recipients = await listPendingRecipients(
			ctx.sql,
			campaign.id,
			after,
			current.status === "paused" && !isClosed
				? PROBE_RECIPIENTS
				: BATCH_RECIPIENTS,
		);
		const last = recipients.at(-1);
		if (last === undefined) return;
		after = last.sequence;
		yield recipients;
	}
}
