import { assertOrganization } from "@airtower/platform/rpc/caller";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type CreateCampaignRequest,
	type CreateCampaignResponse,
	CreateCampaignResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { assertTemplate } from "../domain/message-template.ts";
import { readName } from "../domain/name.ts";
import { chooseSender } from "../domain/sender-choice.ts";
import { normalizeTags } from "../domain/tags.ts";
import { invalid } from "../errors.ts";
import { insertCampaign, type NewCampaign } from "../store/campaigns.ts";
import { insertRecipientImports } from "../store/recipient-imports.ts";
import { campaignToProto } from "./campaign-to-proto.ts";
import { respondOnce } from "./respond-once.ts";

/** Furthest start, ms. */
const MAX_AHEAD_MS = 366 * 86_400_000;
/** Longest recipient that is kept as given, characters. */
const MAX_RECIPIENT_LENGTH = 64;

/**
 * Creates a campaign: the audience is read, and the sending begins, when it starts. The request is
 * checked before the transaction, which must not last as long as a call of messaging, but refused
 * within it, where its key is known to be new: a repeated request gets its response again, although
 * its time has passed since, or its sender is no longer approved.
 */
export async function createCampaign(
	ctx: Context & { readonly wakeCampaigns: () => void },
	request: CreateCampaignRequest,
	context: HandlerContext,
): Promise<CreateCampaignResponse> {
	assertOrganization(context, request.organizationId);
	const [reading] = await Promise.allSettled([readCampaign(ctx, request)]);
	const recipients = request.recipients.map((phone) =>
		phone.replaceAll("\0", "").slice(0, MAX_RECIPIENT_LENGTH),
	);
	const { response, replayed } = await respondOnce(
		ctx,
		CreateCampaignResponseSchema,
		request,
		async (sql) => {
			if (reading.status === "rejected") throw reading.reason;
			const row = await insertCampaign(sql, reading.value);
			await insertRecipientImports(sql, row.id, recipients);
			return { campaign: campaignToProto(row) };
		},
	);
	if (!replayed) ctx.wakeCampaigns();
	return { ...response, replayed };
}

async function readCampaign(
	ctx: Context,
	request: CreateCampaignRequest,
): Promise<NewCampaign> {
	const name = readName(request.name);
	assertTemplate(request.messageTemplate);
	const audienceTags = readAudience(request);
	const scheduledAt = readSchedule(ctx, request);
	const { organizationId } = request;
	const { senderIds } = await ctx.messaging.listSenderIds({ organizationId });
	const sender = chooseSender(senderIds, request.senderId, request.senderName);
	return {
		id: uuidv7(),
		organizationId,
		name,
		messageTemplate: request.messageTemplate,
		senderId: sender.id,
		senderName: sender.value,
		audienceTags,
		audienceTagMatchMode:
			request.audienceTagMatchMode === "any" ? "any" : "all",
		defaultCountry: request.defaultCountry,
		scheduledAt,
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
): Date | undefined {
	if (request.scheduledAt === undefined) return undefined;
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
