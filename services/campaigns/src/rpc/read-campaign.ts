import type { Queryable } from "@airtower/platform/database/database";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import { invalid } from "@airtower/platform/runtime/domain-error";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type { CreateCampaignRequest } from "@airtower/proto/campaigns/v1/campaigns";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { toStoredNumber } from "../domain/given-numbers.ts";
import {
	assertTemplate,
	trimPlaceholders,
} from "../domain/message-template.ts";
import { readName } from "../domain/name.ts";
import { chooseSender } from "../domain/sender-choice.ts";
import { normalizeTags } from "../domain/tags.ts";
import { campaignLimitReached } from "../errors.ts";
import { countOpenCampaigns, type NewCampaign } from "../store/campaigns.ts";

const MAX_AHEAD_MS = 366 * 86_400_000;

/** The campaign that a request means, for its creation and its preview. Throws what it is refused with. */
export async function readCampaign(
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
		messageTemplate: trimPlaceholders(messageTemplate),
		defaultCountry,
		senderId: sender.id,
		senderName: sender.value,
		audienceTags,
		scheduledAt,
		audienceTagMatchMode:
			request.audienceTagMatchMode === "any" ? "any" : "all",
	};
}

/** The recipients of a request as they are stored. */
export function readRecipients({
	recipients,
}: Pick<CreateCampaignRequest, "recipients">): string[] {
	return recipients.map(toStoredNumber);
}

/** Throws conflict `campaign_limit_reached` where the organization may not create another one. */
export async function assertMayCreate(
	{ bounds: { openCampaigns: limit } }: Pick<Context, "bounds">,
	sql: Queryable,
	organizationId: string,
): Promise<void> {
	if ((await countOpenCampaigns(sql, organizationId)) >= limit)
		throw campaignLimitReached(limit);
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
