import { isUuid } from "@airtower/platform/runtime/ids";
import { RefusalError } from "../../../errors.ts";
import { campaignParams } from "../../../schemas/campaigns/campaigns.ts";
import {
	campaignRecipient,
	recipientsQuery,
} from "../../../schemas/campaigns/recipients.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listRecipients: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/campaigns/:campaignId/recipients",
		scope: "campaigns:read",
		operationId: "listCampaignRecipients",
		tag: "Campaigns",
		summary: "List the recipients of a campaign",
		description: [
			"By phone number. A number that was given again follows the recipient that it repeats, `skipped` as a `duplicate`,",
			"with the same `message_id`: whoever is counted in the campaign's `stats` is listed.",
			"Go on as long as there is a `nextCursor`: with a status, a page may be short, even empty.",
		].join(" "),
		errors: ["unknown_campaign"],
		params: campaignParams,
		query: recipientsQuery,
		rows: { recipients: campaignRecipient.array() },
		find: async (page, { status = "" }, _caller, { campaignId }) => {
			if (!isUuid(campaignId))
				throw new RefusalError({ code: "unknown_campaign" });
			const asked = { ...page, campaignId, status };
			const found = await ctx.clients.campaigns.listRecipients(asked);
			const recipients = found.recipients.map((one) =>
				toRecord(campaignRecipient, one),
			);
			return { recipients, next: found.next };
		},
	});
};
