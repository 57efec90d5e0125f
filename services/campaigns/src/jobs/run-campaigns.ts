import { uuidv7 } from "@airtower/platform/runtime/ids";
import { whileRenewed } from "@airtower/platform/work/while-renewed";
import type { Context } from "../context.ts";
import {
	claimDueCampaign,
	holdLease,
	LEASE_MS,
	type Leased,
	releaseCampaign,
	releaseStaged,
} from "../store/campaign-leases.ts";
import { completeSettledCampaigns } from "../store/campaign-progress.ts";
import { isOrganizationClosed } from "../store/closed-organizations.ts";
import { deleteIdleShares } from "../store/quota-shares.ts";
import { repeatLeftBatches, settleLeftBatches } from "./left-batches.ts";
import { skipUnsent } from "./skip-unsent.ts";
import { snapshotAudience } from "./snapshot-audience.ts";
import { stageRecipients } from "./stage-recipients.ts";

/** A message that was paid for before its organization was closed is stored within 20 s or never. */
const CLOSED_WAIT_MS = 30_000;
const RETRY_MS = 2_000;
/** Batches of which some wait that a round sends again. */
const REPEATED_BATCHES = 20;

/**
 * Works on one due campaign for a round; returns 1 when there was one.
 * @param underWay organizations of the campaigns that this process works on, one for each campaign
 */
export async function runDueCampaign(
	ctx: Context,
	signal: AbortSignal,
	underWay: string[] = [],
): Promise<number> {
	const askedAt = performance.now();
	const campaign = await claimInTurn(ctx.sql, underWay);
	if (campaign === undefined) return 0;
	underWay.push(campaign.organizationId);
	const renew = async () => (await holdLease(ctx.sql, campaign)) !== undefined;
	try {
		await whileRenewed(
			{ leaseMs: LEASE_MS, askedAt, signal, renew },
			(owning) => work(ctx, campaign, owning),
		);
	} catch (error) {
		ctx.log.warn(
			{ err: error, campaignId: campaign.id },
			"campaign step failed",
		);
		await releaseCampaign(ctx.sql, campaign, RETRY_MS);
	} finally {
		underWay.splice(underWay.indexOf(campaign.organizationId), 1);
	}
	return 1;
}

/** Whoever has many campaigns that are due would else be worked for alone until all of them have had their round. */
async function claimInTurn(
	sql: Context["sql"],
	underWay: readonly string[],
): Promise<Leased | undefined> {
	const ofOthers =
		underWay.length === 0
			? undefined
			: await claimDueCampaign(sql, uuidv7(), underWay);
	return ofOthers ?? claimDueCampaign(sql, uuidv7());
}

async function work(
	ctx: Context,
	claimed: Leased,
	signal: AbortSignal,
): Promise<void> {
	if (claimed.status === "cancelled") {
		// Who was sent to is known before the others are skipped.
		if (await settleLeftBatches(ctx, claimed))
			return skipUnsent(ctx, claimed, signal);
		return releaseCampaign(ctx.sql, claimed, RETRY_MS);
	}
	await repeatLeftBatches(ctx, claimed, REPEATED_BATCHES);
	const campaign = await snapshotAudience(ctx, claimed, signal);
	if (campaign === undefined) return;
	const isClosed = await isOrganizationClosed(
		ctx.sql,
		campaign.organizationId,
		CLOSED_WAIT_MS,
	);
	const result = await stageRecipients(ctx, campaign, isClosed, signal);
	if (result === "stopped") await releaseCampaign(ctx.sql, campaign, 0);
	if (result === "waiting") await releaseCampaign(ctx.sql, campaign, RETRY_MS);
	if (result === "staged") {
		await deleteIdleShares(ctx.sql, [campaign.organizationId]);
		await completeSettledCampaigns(ctx.sql, [campaign.id]);
		await releaseStaged(ctx.sql, campaign, RETRY_MS);
	}
}
