import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import type { Handler } from "@airtower/platform/rpc/route";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type CampaignsService,
	type CreateCampaignRequest,
	CreateCampaignResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { assertTemplate } from "../domain/message-template.ts";
import { readName } from "../domain/name.ts";
import { chooseSender } from "../domain/sender-choice.ts";
import { normalizeTags } from "../domain/tags.ts";
import { campaignLimitReached } from "../errors.ts";
import {
	countOpenCampaigns,
	insertCampaign,
	type NewCampaign,
} from "../store/campaigns.ts";
import { insertRecipientImports } from "../store/recipient-imports.ts";
import { campaignToProto } from "./campaign-to-proto.ts";

const MAX_AHEAD_MS = 366 * 86_400_000;
const MAX_RECIPIENT_LENGTH = 64;

/**
 * Checks before the transaction, which must not last as long as a call of messaging, and refuses within it, where
 * the key is known to be new: a repeated request gets its response although its time may have passed since.
 */
export const createCampaign: Handler<
	Context & { readonly wakeCampaigns: () => void },
	typeof CampaignsService.method.createCampaign
> = async (ctx, request, context) => {
	assertOrganization(context, request.organizationId);
	const [reading] = await Promise.allSettled([readCampaign(ctx, request)]);
	const recipients = request.recipients.map((phone) =>
		phone.replaceAll("\0", "").slice(0, MAX_RECIPIENT_LENGTH),
	);
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: CreateCampaignResponseSchema,
		key: toIdempotencyKey(request.organizationId, request.idempotency),
		work: async (sql) => {
			if (reading.status === "rejected") throw reading.reason;
			const limit = ctx.bounds.openCampaigns;
			if ((await countOpenCampaigns(sql, request.organizationId)) >= limit)
				throw campaignLimitReached(limit);
			const row = await insertCampaign(sql, reading.value);
			await insertRecipientImports(sql, row.id, recipients);
			return { campaign: campaignToProto(row) };
		},
	});
	if (!replayed) ctx.wakeCampaigns();
	return { ...response, replayed };
};

async function readCampaign(
	ctx: Context,
	request: CreateCampaignRequest,
): Promise<NewCampaign> {
	const { organizationId, messageTemplate, defaultCountry } = request;
	const name = readName(request.name);
	assertTemplate(messageTemplate);
	const audienceTags = readAudience(request);
	const scheduledAt = readSchedule(ctx, request);
	const { senderIds } = await onBehalfOf(organizationId, () =>
		ctx.messaging.listSenderIds({ organizationId }),
	);
	const sender = chooseSender(senderIds, request.senderId, request.senderName);
	return {
		id: uuidv7(),
		organizationId,
		name,
		messageTemplate,
		defaultCountry,
		senderId: sender.id,
		senderName: sender.value,
		audienceTags,
		scheduledAt,
		audienceTagMatchMode:
			request.audienceTagMatchMode === "any" ? "any" : "all",
	};
}

function readAudience(request: CreateCampaignRequest): string[] {
	const tags = normalizeTags(request.audienceTags, "audience_tags");
	if (tags.length > 0 === request.recipients.length > 0)
		throw invalid(
			"audience_required",
			"audience_tags",
			"Give either audience_tags or recipients, at least one of them.",
		);
	return tags;
}

function readSchedule(
	ctx: Context,
	request: CreateCampaignRequest,
): Date | null {
	if (request.scheduledAt === undefined) return null;
	const scheduledAt = timestampDate(request.scheduledAt);
	const aheadMs = scheduledAt.getTime() - ctx.clock().getTime();
	if (aheadMs <= 0 || aheadMs > MAX_AHEAD_MS)
		throw invalid(
			"invalid_schedule",
			"scheduled_at",
			"The time must be in the future, within one year.",
		);
	return scheduledAt;
}
