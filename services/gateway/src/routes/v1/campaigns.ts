import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { Campaign } from "@airtower/proto/campaigns/v1/campaigns";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError, refusalFromReason } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import {
	campaign,
	createCampaignBody,
	type ListCampaign,
	type TagCampaign,
} from "../../schemas/campaigns.ts";
import { successBody } from "../../schemas/common.ts";
import { pageQuery } from "../../schemas/pages.ts";
import { addList } from "../add-list.ts";
import { optionalTime, required, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** 100,000 phone numbers, each with quotes and a comma, with room to spare, bytes. */
const BODY_LIMIT_BYTES = 4 * 1_048_576;
/** Longest wait for a campaign with all its recipients to be stored, ms. */
const CREATE_TIMEOUT_MS = 25_000;

/** GET and POST /campaigns. */
export function campaignRoutes(app: App, ctx: Context): void {
	listCampaigns(app, ctx);
	createCampaign(app, ctx);
}

function listCampaigns(app: App, ctx: Context): void {
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
			const { campaigns, next } =
				await ctx.clients.campaigns.listCampaigns(page);
			return { campaigns: campaigns.map(toCampaign), next };
		},
	});
}

function createCampaign(app: App, { clients }: Context): void {
	app.route({
		method: "POST",
		url: "/campaigns",
		bodyLimit: BODY_LIMIT_BYTES,
		config: {
			access: scopeAccess("campaigns:write"),
			errors: ["sender_required", "unknown_sender", "sender_not_approved"],
		},
		schema: {
			operationId: "createCampaign",
			tags: ["Campaigns"],
			summary: "Create a campaign",
			description:
				"Sends one message to each recipient: at once, or at its time. The body has one of two forms: an audience of contacts chosen by tags, or a list of phone numbers. Fields of the two are not mixed. A campaign that runs out of quota pauses, and goes on by itself after a top-up.",
			body: createCampaignBody,
			response: { 201: successBody({ campaign }) },
		},
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { body } = request;
			const isListForm = "content" in body;
			const fields = isListForm ? fromListForm(body) : fromTagForm(body);
			const { campaign, replayed } = await clients.campaigns
				.createCampaign(
					{ ...fields, organizationId, defaultCountry, ...request.idempotent },
					{ timeoutMs: CREATE_TIMEOUT_MS },
				)
				.catch((error: unknown) => {
					throw isListForm ? inListForm(error) : error;
				});
			markReplay(reply, replayed);
			reply.code(201);
			return {
				success: true as const,
				campaign: toCampaign(required(campaign)),
			};
		},
	});
}

function fromTagForm(body: TagCampaign) {
	return {
		name: body.name,
		messageTemplate: body.message_template,
		senderId: body.sender_id ?? "",
		audienceTags: body.audience_tags,
		audienceTagMatchMode: body.audience_tag_match_mode ?? "all",
		...scheduledAt(body.scheduled_at),
	};
}

function fromListForm(body: ListCampaign) {
	return {
		name: body.name,
		messageTemplate: body.content,
		senderName: body.senderName ?? "",
		audienceTagMatchMode: "all",
		recipients: body.recipients,
		...scheduledAt(body.scheduledAt),
	};
}

function scheduledAt(time: string | undefined) {
	return time === undefined
		? {}
		: { scheduledAt: timestampFromDate(new Date(time)) };
}

/** What the list form calls the fields that the service speaks of. */
const LIST_FORM_NAMES: Readonly<Record<string, string>> = {
	message_template: "content",
	sender_id: "senderName",
	sender_name: "senderName",
	scheduled_at: "scheduledAt",
	audience_tags: "recipients",
};

function inListForm(error: unknown): unknown {
	const known = domainErrorFrom(error);
	const field = LIST_FORM_NAMES[known?.field ?? ""];
	if (known === undefined || field === undefined) return error;
	const { reason, message } = known;
	const refusal = refusalFromReason({ reason, field, message });
	return refusal === undefined ? error : new RefusalError(refusal);
}

function toCampaign(record: Campaign) {
	const { shape } = campaign;
	const stats = required(record.stats);
	return {
		id: record.id,
		name: record.name,
		status: shape.status.parse(record.status),
		status_reason: record.statusReason || null,
		message_template: record.messageTemplate,
		sender_id: record.senderId,
		sender_name: record.senderName,
		audience_tags: record.audienceTags,
		audience_tag_match_mode: shape.audience_tag_match_mode.parse(
			record.audienceTagMatchMode,
		),
		scheduled_at: optionalTime(record.scheduledAt),
		started_at: optionalTime(record.startedAt),
		completed_at: optionalTime(record.completedAt),
		created_at: requiredTime(record.createdAt),
		stats: {
			audience: Number(stats.audience),
			skipped: Number(stats.skipped),
			accepted: Number(stats.accepted),
			delivered: Number(stats.delivered),
			failed: Number(stats.failed),
			pending: Number(stats.pending),
		},
	};
}
