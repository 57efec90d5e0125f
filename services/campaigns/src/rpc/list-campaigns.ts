import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type { Handler } from "@airtower/platform/rpc/route";
import type { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import type { Context } from "../context.ts";
import { findCampaigns } from "../store/campaigns.ts";
import { campaignToProto } from "./campaign-to-proto.ts";

export const listCampaigns: Handler<
	Context,
	typeof CampaignsService.method.listCampaigns
> = async ({ sql }, { organizationId, page }, context) => {
	assertOrganization(context, organizationId);
	const limit = page?.limit ?? 0;
	const range = { limit: limit + 1, after: pageStart(page) };
	const found = await findCampaigns(sql, organizationId, range);
	const { rows, next } = cutPage(found, limit);
	return { campaigns: rows.map(campaignToProto), ...(next && { next }) };
};
