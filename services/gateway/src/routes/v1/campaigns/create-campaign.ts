import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import { createCampaignBody } from "../../../schemas/campaigns/campaign-requests.ts";
import { campaign } from "../../../schemas/campaigns/campaigns.ts";
import { successBody } from "../../../schemas/common.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";
import { errorInForm, readForm } from "./forms.ts";

/** 100,000 phone numbers, each with quotes and a comma, with room to spare, bytes. */
export const BODY_LIMIT_BYTES = 4 * 1_048_576;
/** Longest wait for a campaign with all its recipients to be stored, ms. */
const CREATE_TIMEOUT_MS = 25_000;

const operation = {
	method: "POST",
	url: "/campaigns",
	bodyLimit: BODY_LIMIT_BYTES,
	config: {
		access: scopeAccess("campaigns:write"),
		errors: [
			"sender_required",
			"unknown_sender",
			"sender_not_approved",
			"campaign_limit_reached",
		],
	},
	schema: {
		operationId: "createCampaign",
		tags: ["Campaigns"],
		summary: "Create a campaign",
		description: [
			"Sends one message to each recipient: at once, or at its time. The body has one of two forms: an audience of",
			"contacts chosen by tags, or a list of phone numbers. Fields of the two are not mixed. A campaign that runs out",
			"of quota pauses, and goes on by itself after a top-up.",
		].join(" "),
		body: createCampaignBody,
		response: { 201: successBody({ campaign }) },
	},
} as const;

export const createCampaign: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { body, idempotent } = request;
			const fields = readForm(body);
			const created = await clients.campaigns
				.createCampaign(
					{ ...fields, organizationId, defaultCountry, ...idempotent },
					{ timeoutMs: CREATE_TIMEOUT_MS },
				)
				.catch((error: unknown) => {
					throw errorInForm(body, error);
				});
			markReplay(reply, created.replayed);
			reply.code(201);
			const record = toRecord(campaign, required(created.campaign));
			return { success: true as const, campaign: record };
		},
	});
};
