import type { Campaign } from "@airtower/proto/campaigns/v1/campaigns";
import type { Call, Command } from "../command.ts";
import { type Output, toRow } from "../output.ts";
import { listCommand } from "../pages.ts";
import { findOrganization, parseUuid } from "../values.ts";

const SHOWN_DIGITS = 4;

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
		toRow: campaignRow,
		whenEmpty: "The organization has no campaigns.",
	}),
	{
		line: "campaigns show <organization> <campaign-id>",
		summary: "Shows a campaign and how far it is",
		run: async (call) => {
			const asked = await campaignFrom(call);
			const { campaign } = await call.clients.campaigns().getCampaign(asked);
			return { content: campaignRow(campaign) };
		},
	},
	listCommand({
		line: "campaigns recipients <organization> <campaign-id>",
		summary: "Lists the recipients of a campaign, with why they were left out",
		options: {
			"--status <status>":
				"pending, skipped, accepted, delivered or failed (default: all)",
		},
		read: async (call, page) => {
			const asked = await campaignFrom(call);
			const status = call.option("status") ?? "";
			const client = call.clients.campaigns();
			const response = await client.listRecipients({ ...asked, status, page });
			return { items: response.recipients, next: response.next };
		},
		toRow: ({ phone, ...recipient }) => ({
			phone: masked(phone),
			...toRow(recipient, "status", "reason", "messageId"),
		}),
		whenEmpty: "There are no such recipients.",
	}),
	changeCommand("pause", "Pauses a campaign until it is resumed"),
	changeCommand("resume", "Lets a paused campaign go on"),
	changeCommand("cancel", "Ends a campaign; who was not sent to is skipped"),
];

function changeCommand(change: string, summary: string): Command {
	return {
		line: `campaigns ${change} <organization> <campaign-id>`,
		summary,
		run: async (call): Promise<Output> => {
			const asked = { ...(await campaignFrom(call)), change };
			const client = call.clients.campaigns();
			const { campaign } = await client.changeCampaign(asked);
			return { content: campaignRow(campaign) };
		},
	};
}

async function campaignFrom(call: Call) {
	const campaignId = parseUuid(call, "campaign-id");
	const { id: organizationId } = await findOrganization(call);
	return { organizationId, campaignId };
}

function campaignRow(campaign: Campaign | undefined) {
	const stats = campaign?.stats;
	return {
		...toRow(campaign, "id", "name", "status"),
		reason: campaign?.statusReason,
		...toRow(stats, "audience", "skipped", "duplicates", "accepted"),
		...toRow(stats, "delivered", "failed", "pending"),
		...toRow(campaign, "scheduledAt", "createdAt"),
	};
}

/** A number shows its last digits; what is no number is shown as it was given. */
function masked(phone: string): string {
	if (!/^\+\d+$/.test(phone)) return phone;
	return phone.slice(-SHOWN_DIGITS).padStart(phone.length, "*");
}
