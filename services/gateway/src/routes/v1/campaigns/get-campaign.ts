import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import {
	campaign,
	campaignParams,
} from "../../../schemas/campaigns/campaigns.ts";
import { successBody } from "../../../schemas/common.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "GET",
	url: "/campaigns/:campaignId",
	config: {
		access: scopeAccess("campaigns:read"),
		errors: ["unknown_campaign"],
	},
	schema: {
		operationId: "getCampaign",
		tags: ["Campaigns"],
		summary: "Show a campaign",
		description: "The campaign with its progress.",
		params: campaignParams,
		response: { 200: successBody({ campaign }) },
	},
} as const;

export const getCampaign: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const { campaignId } = request.params;
			if (!isUuid(campaignId))
				throw new RefusalError({ code: "unknown_campaign" });
			const asked = { organizationId, campaignId };
			const found = await clients.campaigns.getCampaign(asked);
			const record = toRecord(campaign, required(found.campaign));
			return { success: true as const, campaign: record };
		},
	});
};
