import { listOfOrganization } from "../pages.ts";
import { dateOf } from "../values.ts";

export const listCampaigns = listOfOrganization({
	name: "campaigns list",
	summary: "Lists an organization's campaigns and how far they are",
	read: async ({ campaigns }, wanted) => {
		const answer = await campaigns.listCampaigns(wanted);
		return { items: answer.campaigns, next: answer.next };
	},
	rowOf: ({ stats, ...campaign }) => ({
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
	}),
	whenEmpty: "The organization has no campaigns.",
});
