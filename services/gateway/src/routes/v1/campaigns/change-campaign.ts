import { isUuid } from "@airtower/platform/runtime/ids";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	campaign,
	campaignParams,
} from "../../../schemas/campaigns/campaigns.ts";
import { noBody, successBody } from "../../../schemas/common.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const pauseCampaign = changeRoute("pause", {
	operationId: "pauseCampaign",
	summary: "Pause a campaign",
	description: [
		"Nobody else is sent to until it is resumed. Messages that were accepted before are delivered, and so are those",
		"that are being accepted at this moment, 2,000 at most. A paused campaign stays paused.",
	].join(" "),
});

export const resumeCampaign = changeRoute("resume", {
	operationId: "resumeCampaign",
	summary: "Resume a campaign",
	description: [
		"A campaign that was paused goes on, or waits for its time again. One that waits for quota or for its sender",
		"stays paused, asks again at once, and may use all the quota there is.",
	].join(" "),
});

export const cancelCampaign = changeRoute("cancel", {
	operationId: "cancelCampaign",
	summary: "Cancel a campaign",
	description: [
		"Everybody who was not sent to is skipped, with the reason `cancelled`. No message is recalled: those that were",
		"accepted before, also if they still wait for an operator or for the end of quiet hours, are delivered and count, and",
		"so are those that are being accepted at this moment, 2,000 at most. `DELETE /sms/messages/{messageId}` takes one",
		"that waits back. A cancelled campaign stays cancelled.",
	].join(" "),
});

interface Texts {
	readonly operationId: string;
	readonly summary: string;
	readonly description: string;
}

function changeRoute(
	change: "pause" | "resume" | "cancel",
	texts: Texts,
): Routes {
	const operation = {
		method: "POST",
		url: `/campaigns/:campaignId/${change}`,
		config: {
			access: scopeAccess("campaigns:write"),
			errors: ["unknown_campaign", "campaign_ended"],
			isBodyOptional: true,
		},
		schema: {
			...texts,
			tags: ["Campaigns"],
			params: campaignParams,
			body: noBody,
			response: { 200: successBody({ campaign }) },
		},
	} as const;
	return (app, { clients }) => {
		app.route({
			...operation,
			handler: async (request, reply) => {
				const { organizationId } = callerOf(request);
				const { campaignId } = request.params;
				if (!isUuid(campaignId))
					throw new RefusalError({ code: "unknown_campaign" });
				const changed = await clients.campaigns.changeCampaign({
					organizationId,
					campaignId,
					change,
					...request.idempotent,
				});
				markReplay(reply, changed.replayed);
				const record = toRecord(campaign, required(changed.campaign));
				return { success: true as const, campaign: record };
			},
		});
	};
}
