import type { Context } from "../context.ts";
import {
	holdLease,
	type Leased,
	pauseCampaign,
} from "../store/campaign-leases.ts";
import { markStaged } from "../store/campaign-progress.ts";
import {
	findUnsentRecipients,
	hasPendingRecipients,
	type PendingRecipient,
} from "../store/recipients.ts";
import { findSentBatches } from "../store/sent-batches.ts";
import {
	ALL_WAIT,
	type Obstacle,
	sendBatch,
	skipRefused,
} from "./send-batch.ts";

/** Recipients in one call of SendMessages. */
const BATCH_RECIPIENTS = 500;
/** A large campaign then goes behind the others that are due. */
const BATCHES_PER_ROUND = 20;
/** While the results of one batch are stored, messaging works on others. */
const MAX_BATCHES_IN_FLIGHT = 4;
/** Recipients that a paused campaign asks first, to learn whether the reason of its pause is gone. */
const PROBE_RECIPIENTS = 1;

/** `stopped`: there are more to send to. `waiting`: who is left, or next, must be asked for again. */
type StageResult = "staged" | "stopped" | "waiting" | "paused";

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
	if (obstacle === ALL_WAIT) return "waiting";
	if (obstacle !== undefined) {
		await pauseCampaign(ctx.sql, campaign, obstacle.reason);
		return "paused";
	}
	const first = { after: 0, limit: 1 };
	const unsent = await findUnsentRecipients(ctx.sql, campaign.id, first);
	if (unsent.length > 0) return "stopped";
	if (await hasPendingRecipients(ctx.sql, campaign.id)) return "waiting";
	// Their recipients have outcomes already; the next round gives back what they reserve.
	const left = await findSentBatches(ctx.sql, campaign.id, 1);
	if (left.length > 0) return "waiting";
	await markStaged(ctx.sql, campaign);
	return "staged";
}

type Stop = Obstacle | typeof ALL_WAIT;

interface Round {
	/** Recipients that a paused campaign asks next. */
	probe: number;
}

/** Ends when no batch is in flight any more, with what stopped it. */
async function sendRound(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): Promise<Stop | undefined> {
	const round = { probe: PROBE_RECIPIENTS };
	const batches = pendingBatches(ctx, campaign, isClosed, round, signal);
	const senders = campaign.status === "paused" ? 1 : MAX_BATCHES_IN_FLIGHT;
	const ends = await Promise.allSettled(
		Array.from({ length: senders }, () =>
			sendAll(ctx, campaign, isClosed, round, batches),
		),
	);
	const stops = ends.map((end) => {
		if (end.status === "rejected") throw end.reason;
		return end.value;
	});
	const found = stops.filter((one) => one !== undefined);
	return found.find((one) => one !== ALL_WAIT) ?? found[0];
}

/**
 * Sends batch after batch. The first sender to stop, for an obstacle, an error or a batch of which all wait, ends the
 * batches for all: the next round goes on after it.
 */
async function sendAll(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	round: Round,
	batches: AsyncIterable<PendingBatch>,
): Promise<Stop | undefined> {
	for await (const { held, recipients } of batches) {
		const stop = await sendBatch(ctx, held, recipients);
		if (stop === undefined) continue;
		if (stop === ALL_WAIT) {
			if (campaign.status !== "paused") return stop;
			// Who waits says nothing about the reason of a pause: many others are asked.
			round.probe = BATCH_RECIPIENTS;
			continue;
		}
		if (!isClosed) return stop;
		await skipRefused(ctx, campaign, stop.phones);
	}
	return undefined;
}

interface PendingBatch {
	/** The campaign as it was when its lease was renewed for this batch. */
	readonly held: Leased;
	readonly recipients: readonly PendingRecipient[];
}

/** The batches of one round in the order of the snapshot, each recipient once, while the lease lasts. */
async function* pendingBatches(
	ctx: Context,
	campaign: Leased,
	isClosed: boolean,
	round: Round,
	signal: AbortSignal,
): AsyncGenerator<PendingBatch> {
	let after = 0;
	for (let nth = 0; nth < BATCHES_PER_ROUND && !signal.aborted; nth++) {
		const held = await holdLease(ctx.sql, campaign);
		if (held === undefined) return;
		const isProbe = held.status === "paused" && !isClosed;
		const recipients = await findUnsentRecipients(ctx.sql, campaign.id, {
			after,
			limit: isProbe ? round.probe : BATCH_RECIPIENTS,
		});
		const last = recipients.at(-1);
		if (last === undefined) return;
		after = last.sequence;
		yield { held, recipients };
	}
}
