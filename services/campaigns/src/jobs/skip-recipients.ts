import { transaction } from "@airtower/platform/database";
import type { CampaignsContext } from "../context.ts";
import {
	addProgress,
	holdLease,
	type Leased,
	markStaged,
} from "../store/campaigns.ts";
import { listPendingRecipients, markSkipped } from "../store/recipients.ts";
import { LEASE_MS } from "./lease.ts";
import { ROUND_RECIPIENTS, sendRound } from "./send-round.ts";
import type { StageResult } from "./stage-recipients.ts";

/** Rounds in one turn: a large campaign then goes behind the others that are due. */
const ROUNDS_PER_TURN = 5;

/**
 * Skips the pending recipients of a closed organization, a round at a time, for one turn. They are asked for first:
 * a message that was accepted, and whose answer was lost, is answered from messaging's record and counts.
 */
export async function skipRecipients(
	ctx: CampaignsContext,
	campaign: Leased,
	signal: AbortSignal,
): Promise<StageResult> {
	for (let round = 0; round < ROUNDS_PER_TURN && !signal.aborted; round++) {
		const current = await holdLease(ctx.sql, campaign, LEASE_MS);
		if (current === undefined) return "given_up";
		const recipients = await listPendingRecipients(
			ctx.sql,
			campaign.id,
			ROUND_RECIPIENTS,
		);
		if (recipients.length === 0) {
			await markStaged(ctx.sql, campaign.id);
			return "staged";
		}
		const obstacle = await sendRound(ctx, campaign, recipients);
		if (obstacle !== undefined) await skip(ctx, campaign, obstacle.phones);
	}
	return "stopped";
}

async function skip(
	ctx: CampaignsContext,
	campaign: Leased,
	phones: readonly string[],
): Promise<void> {
	const reason = "organization_closed";
	await transaction(ctx.sql, async (sql) => {
		const skipped = await markSkipped(
			sql,
			campaign.id,
			phones.map((phone) => ({ phone, reason })),
		);
		await addProgress(sql, campaign.id, { skipped });
	});
}
