import { recordAct, recordNothing } from "@airtower/platform/audit/record-act";
import type { Tx } from "@airtower/platform/database/database";
import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { ADMIN } from "@airtower/platform/identity/jwk";
import { assertOrganization, callerOf } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import {
	type CampaignsService,
	type ChangeCampaignRequest,
	ChangeCampaignResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { mayStay } from "../domain/campaign-state.ts";
import { campaignEnded, unknownCampaign } from "../errors.ts";
import {
	type CampaignChange,
	cancelByRequest,
	pauseByRequest,
	resumeByRequest,
} from "../store/campaign-changes.ts";
import { type Campaign, findCampaign } from "../store/campaigns.ts";
import { liftShares } from "../store/quota-shares.ts";
import { deleteRecipientImports } from "../store/recipient-imports.ts";
import { campaignToProto } from "./campaign-to-proto.ts";

const cancel: CampaignChange = async (sql, organizationId, id) => {
	const row = await cancelByRequest(sql, organizationId, id);
	if (row === undefined) return undefined;
	await deleteRecipientImports(sql, id);
	return row;
};

const CHANGES: Readonly<Record<string, CampaignChange>> = {
	pause: pauseByRequest,
	resume: resumeByRequest,
	cancel,
};

export const changeCampaign: Handler<
	Context & { readonly wakeCampaigns: () => void },
	typeof CampaignsService.method.changeCampaign
> = async (ctx, request, context) => {
	const { organizationId } = request;
	assertOrganization(context, organizationId);
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: ChangeCampaignResponseSchema,
		key: toIdempotencyKey(organizationId, request.idempotency),
		work: (sql) => apply(sql, request, context),
	});
	ctx.wakeCampaigns();
	return { ...response, replayed };
};

async function apply(
	sql: Tx,
	request: ChangeCampaignRequest,
	context: HandlerContext,
) {
	const { organizationId, campaignId: id, change } = request;
	const before = await findCampaign(sql, organizationId, id);
	if (before === undefined) throw unknownCampaign();
	if (change === "resume") await liftShares(sql, [organizationId]);
	const changed = await CHANGES[change]?.(sql, organizationId, id);
	if (changed === undefined) {
		recordNothing(context);
		return { campaign: campaignToProto(await findUnchanged(sql, request)) };
	}
	if (callerOf(context).issuer === ADMIN)
		await recordAct(sql, context, {
			organizationId,
			subject: id,
			before: { status: before.status },
			after: { status: changed.status },
		});
	return { campaign: campaignToProto(changed) };
}

/** Looked up once more: it may have ended since. Throws conflict `campaign_ended`. */
async function findUnchanged(
	sql: Tx,
	{ organizationId, campaignId, change }: ChangeCampaignRequest,
): Promise<Campaign> {
	const campaign = await findCampaign(sql, organizationId, campaignId);
	if (campaign === undefined) throw unknownCampaign();
	if (!mayStay(campaign.status, change)) throw campaignEnded(campaign.status);
	return campaign;
}
