import type { Campaign } from "@airtower/proto/campaigns/v1/campaigns";
import type { Command } from "../command.ts";
import type { Row } from "../output.ts";
import { LIMIT, listPages } from "../pages.ts";
import { dateOf, findOrganization } from "../values.ts";

export const listCampaigns: Command = {
	name: "campaigns list",
	summary: "Lists an organization's campaigns and how far they are",
	args: ["organization"],
	options: { limit: LIMIT },
	run: async (call) => {
		const { id: organizationId } = await findOrganization(call);
		return listPages(
			call,
			async (page) => {
				const { campaigns, next } = await call.clients.campaigns.listCampaigns({
					organizationId,
					page,
				});
				return { items: campaigns, next };
			},
			rowOf,
			"The organization has no campaigns.",
		);
	},
};

function rowOf({ stats, ...campaign }: Campaign): Row {
	return {
		id: campaign.id,
		name: campaign.name,
		status: campaign.status,
		reason: campaign.statusReason,
		audience: stats?.audience,
		skipped: stats?.skipped,
		accepted: stats?.accepted,
		delivered: stats?.delivered,
		failed: stats?.failed,
		pending: stats?.pending,
		scheduled_at: dateOf(campaign.scheduledAt),
		created_at: dateOf(campaign.createdAt),
	};
}
