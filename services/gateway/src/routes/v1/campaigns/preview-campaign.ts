import type { CampaignForecast } from "@airtower/proto/campaigns/v1/campaigns";
import { fromMicros } from "@airtower/proto/rules/segment-cost";
import { scopeAccess } from "../../../domain/access.ts";
import { type Reason, refusalOfItem } from "../../../errors.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { toError } from "../../../plugins/errors.ts";
import {
	type CampaignPreviewReply,
	campaignPreviewReply,
	previewedStats,
	skippedRecipients,
} from "../../../schemas/campaigns/campaign-preview.ts";
import { createCampaignBody } from "../../../schemas/campaigns/campaign-requests.ts";
import { errorTable } from "../../../schemas/errors.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";
import { BODY_LIMIT_BYTES } from "./create-campaign.ts";
import { inForm, readForm } from "./forms.ts";

/** Longest wait for all recipients to be looked at, ms. */
const PREVIEW_TIMEOUT_MS = 25_000;

const operation = {
	method: "POST",
	url: "/campaigns/preview",
	bodyLimit: BODY_LIMIT_BYTES,
	config: { access: scopeAccess("campaigns:write"), isReadOnly: true },
	schema: {
		operationId: "previewCampaign",
		tags: ["Campaigns"],
		summary: "Preview a campaign",
		description: [
			"Tells what would become of a campaign with the same body that began now, also of one for later: who would be",
			"skipped and why, the first messages, the parts and their cost where it is known, the quota, and how many messages",
			"quiet hours put off. Each recipient is decided by the steps of the send, so the counts are exact, if nothing else",
			"uses the quota meanwhile. Nothing is stored or paid for, and an Idempotency-Key is not looked at. What POST",
			"/campaigns would refuse is a 200 here,",
			"with the same error in `error`; a body that does not have the form of a campaign is a 400 as there.",
			"\n\nA preview looks at 100,000 recipients at most, which takes seconds; with more contacts it is a 400",
			"(`audience_too_large`), and where they cannot be looked at within 25 seconds a 503. Of an organization two previews",
			"run at a time on a server, and eight wait for them; one more is a 503.",
		].join(" "),
		body: createCampaignBody,
		response: { 200: campaignPreviewReply },
	},
} as const;

export const previewCampaign: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { body } = request;
			const campaign = { ...readForm(body), organizationId, defaultCountry };
			const { result } = await clients.campaigns.previewCampaign(
				{ campaign },
				{ timeoutMs: PREVIEW_TIMEOUT_MS },
			);
			return result.case === "forecast"
				? toReply(result.value)
				: toRefusal(inForm(body, required(result.value)));
		},
	});
};

function toRefusal(reason: Reason): CampaignPreviewReply {
	const refusal = refusalOfItem(reason);
	return {
		success: true,
		accepted: false,
		httpStatus: errorTable[refusal.code].status,
		error: toError(refusal),
		sender: null,
		status: null,
		statusReason: null,
		stats: null,
		skippedByReason: [],
		examples: [],
		segments: 0,
		costs: [],
		segmentsWithoutCost: 0,
		delayedByQuietHours: 0,
		quotaBefore: null,
		remainingQuota: null,
	};
}

function toReply(forecast: CampaignForecast): CampaignPreviewReply {
	const { senderId, senderName, quotaBefore, remainingQuota } = forecast;
	return {
		success: true,
		accepted: true,
		httpStatus: 201,
		error: null,
		sender: { id: senderId, value: senderName },
		status: toStatus(forecast.status),
		statusReason: forecast.statusReason || null,
		stats: toRecord(previewedStats, required(forecast.stats)),
		skippedByReason: forecast.skipped.map((one) =>
			toRecord(skippedRecipients, one),
		),
		examples: forecast.examples.map(({ phone, name, body, ...text }) => ({
			phone,
			name: name || null,
			message: body,
			encoding: text.encoding === "ucs2" ? "ucs2" : "gsm7",
			segments: text.segments,
		})),
		segments: Number(forecast.segments),
		costs: forecast.costs.map(({ currency, micros, segments }) => ({
			currency,
			amount: fromMicros(micros),
			segments: Number(segments),
		})),
		segmentsWithoutCost: Number(forecast.segmentsWithoutCost),
		delayedByQuietHours: Number(forecast.delayedByQuietHours),
		quotaBefore: quotaBefore === undefined ? null : Number(quotaBefore),
		remainingQuota:
			remainingQuota === undefined ? null : Number(remainingQuota),
	};
}

function toStatus(status: string): CampaignPreviewReply["status"] {
	if (status === "paused" || status === "failed") return status;
	return "sending";
}
