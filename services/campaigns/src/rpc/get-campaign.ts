import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import type { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import type { Context } from "../context.ts";
import { unknownCampaign } from "../errors.ts";
import { findCampaign } from "../store/campaigns.ts";
import { campaignToProto } from "./campaign-to-proto.ts";

export const getCampaign: Handler<
	Context,
	typeof CampaignsService.method.getCampaign
> = async ({ sql }, { organizationId, campaignId }, context) => {
	assertOrganization(context, organizationId);
	const campaign = await findCampaign(sql, organizationId, campaignId);
	if (campaign === undefined) throw unknownCampaign();
	return { campaign: campaignToProto(campaign) };
};
