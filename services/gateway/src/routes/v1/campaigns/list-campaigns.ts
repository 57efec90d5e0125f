import { campaign } from "../../../schemas/campaigns/campaigns.ts";
import { pageQuery } from "../../../schemas/pages.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listCampaigns: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/campaigns",
		scope: "campaigns:read",
		operationId: "listCampaigns",
		tag: "Campaigns",
		summary: "List campaigns",
		description: "Newest first, each with its progress.",
		query: pageQuery,
		rows: { campaigns: campaign.array() },
		find: async (page) => {
			const found = await ctx.clients.campaigns.listCampaigns(page);
			const campaigns = found.campaigns.map((one) => toRecord(campaign, one));
			return { campaigns, next: found.next };
		},
	});
};
