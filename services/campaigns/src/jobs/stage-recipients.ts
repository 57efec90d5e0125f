import type { CampaignsContext } from "../context.ts";
import {
	holdLease,
	type Leased,
	markStaged,
	pauseCampaign,
} from "../store/campaigns.ts";
import { listPendingRecipients } from "../store/recipients.ts";
import { LEASE_MS } from "./lease.ts";
import { ROUND_RECIPIENTS, sendRound } from "./send-round.ts";
import { skipRefused } from "./skip-refused.ts";

/** Rounds in one turn: a large campaign then goes behind the others that are due. */
const ROUNDS_PER_TURN = 5;
/** Recipients of a round by which a paused campaign asks whether its reason has gone. */
const PROBE_RECIPIENTS = 1;
/**
 * A paused campaign asks again by itself after as long as it has been paused, within these bounds, ms:
 * news of its reason may be lost, and of some reasons there is none.
 */
const PROBE_PAUSE_MS = { shortest: 30_000, longest: 600_000 };

/** `stopped`: not done yet; `given_up`: paused, or the lease has passed on. */
export type StageResult = "staged" | "stopped" | "given_up";

/**
 * Sends to pending recipients, a round at a time, for one turn. Each message carries an idempotency
 * key made of campaign and phone: after a crash between the send and its note, the same batch is
 * answered from the record and nobody is sent to twice. A refusal of the whole campaign pauses it, or, when
 * its organization is closed for good, skips those that it was said of.
 */
export async function stageRecipients(
	ctx: CampaignsContext,
	campaign: Leased,
	isClosed: boolean,
	signal: AbortSignal,
): Promise<StageResult> {
	for (let round = 0; round < ROUNDS_PER_TURN && !signal.aborted; round++) {
		const current = await holdLease(ctx.sql, campaign, LEASE_MS);
		if (current === undefined) return "given_up";
		const recipients = await listPendingRecipients(
			ctx.sql,
			campaign.id,
			current.status === "paused" && !isClosed
				? PROBE_RECIPIENTS
				: ROUND_RECIPIENTS,
		);
		if (recipients.length === 0) {
			await markStaged(ctx.sql, campaign.id);
			return "staged";
		}
		const obstacle = await sendRound(ctx, campaign, recipients);
		if (obstacle === undefined) continue;
		if (isClosed) await skipRefused(ctx, campaign, obstacle.phones);
		else {
			await pauseCampaign(ctx.sql, campaign, obstacle.reason, PROBE_PAUSE_MS);
			return "given_up";
		}
	}
	return "stopped";
}
