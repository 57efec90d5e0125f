import type { Command } from "../command.ts";
import { toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { findOrganization } from "../values.ts";

export const campaignCommands: readonly Command[] = [
	listCommand({
		line: "campaigns list <organization>",
		summary: "Lists an organization's campaigns and how far they are",
		read: async (call, page) => {
			const { id: organizationId } = await findOrganization(call);
			const client = call.clients.campaigns();
			const response = await client.listCampaigns({ organizationId, page });
			return { items: response.campaigns, next: response.next };
		},
		toRow: ({ stats, ...campaign }) => ({
			...toRow(campaign, "id", "name", "status"),
			reason: campaign.statusReason,
			...toRow(stats, "audience", "skipped", "accepted", "delivered"),
			...toRow(stats, "failed", "pending"),
			...toRow(campaign, "scheduledAt", "createdAt"),
		}),
		whenEmpty: "The organization has no campaigns.",
	}),
];
