import { assertOrganization } from "@airtower/platform/rpc/caller";
import { onBehalfOf } from "@airtower/platform/rpc/on-behalf-of";
import type { Handler } from "@airtower/platform/rpc/route";
import { DomainError } from "@airtower/platform/runtime/domain-error";
import type {
	CampaignForecastSchema,
	CampaignsService,
	CreateCampaignRequest,
} from "@airtower/proto/campaigns/v1/campaigns";
import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
	countPreview,
	countSkipped,
	createTally,
	type Tally,
} from "../domain/forecast.ts";
import {
	divideByLength,
	TOO_LONG,
	toDraft,
	toMessage,
} from "../draft-messages.ts";
import { previewUnknown } from "../errors.ts";
import type { AudienceContact } from "../store/audience.ts";
import type { NewCampaign } from "../store/campaigns.ts";
import { findShare } from "../store/quota-shares.ts";
import { findAudience } from "./find-audience.ts";
import { forecastToProto } from "./forecast-to-proto.ts";
import type { PreviewLine } from "./preview-line.ts";
import {
	assertMayCreate,
	readCampaign,
	readRecipients,
} from "./read-campaign.ts";

/** Recipients in one call of PreviewMessages. One call follows the other: messaging has others to serve. */
const PAGE_RECIPIENTS = 500;
/** Of one call, ms. */
const CALL_TIMEOUT_MS = 20_000;

/**
 * The campaign is read as its creation reads it, and its recipients are decided by messaging as a send decides them.
 */
export const previewCampaign: Handler<
	Context & { readonly inPreviewLine: PreviewLine },
	typeof CampaignsService.method.previewCampaign
> = async (ctx, { campaign: request }, context) => {
	if (request === undefined) throw new Error("The contract requires it.");
	assertOrganization(context, request.organizationId);
	const { signal } = context;
	return ctx.inPreviewLine(request.organizationId, async () => {
		signal.throwIfAborted();
		const read = await readOrRefuse(ctx, request);
		if ("refused" in read)
			return { result: { case: "refused", value: read.refused } };
		const value = await forecast(ctx, read, request, signal);
		return { result: { case: "forecast", value } };
	});
};

async function readOrRefuse(
	ctx: Context,
	request: CreateCampaignRequest,
): Promise<NewCampaign | { readonly refused: ErrorDetail }> {
	try {
		const campaign = await readCampaign(ctx, request);
		await assertMayCreate(ctx, ctx.sql, request.organizationId);
		return campaign;
	} catch (error) {
		if (!(error instanceof DomainError)) throw error;
		const { reason, field = "", message } = error;
		return { refused: create(ErrorDetailSchema, { reason, field, message }) };
	}
}

async function forecast(
	ctx: Context,
	campaign: NewCampaign,
	request: CreateCampaignRequest,
	signal: AbortSignal,
): Promise<MessageInitShape<typeof CampaignForecastSchema>> {
	const given = readRecipients(request);
	const audience = await findAudience(ctx, campaign, given, signal);
	const tally = createTally();
	countSkipped(tally, "duplicate", audience.duplicates);
	countSkipped(tally, "invalid_phone_number", audience.invalid);
	const { recipients } = audience;
	for (let start = 0; start < recipients.length; start += PAGE_RECIPIENTS) {
		signal.throwIfAborted();
		const page = recipients.slice(start, start + PAGE_RECIPIENTS);
		await countPage(ctx, campaign, page, tally);
	}
	const share = await findShare(ctx.sql, campaign.organizationId);
	return forecastToProto(campaign, audience, tally, share);
}

async function countPage(
	{ messaging }: Context,
	campaign: NewCampaign,
	recipients: readonly AudienceContact[],
	tally: Tally,
): Promise<void> {
	const drafts = recipients.map((one) => toDraft(campaign, one));
	const { fitting, tooLong } = divideByLength(drafts);
	countSkipped(tally, TOO_LONG, tooLong.length);
	if (fitting.length === 0) return;
	const messages = fitting.map((draft) => toMessage(campaign, draft));
	const { scheduledAt: at } = campaign;
	const { results } = await onBehalfOf(campaign.organizationId, () =>
		messaging.previewMessages(
			{ messages, ...(at && { at: timestampFromDate(at) }) },
			{ timeoutMs: CALL_TIMEOUT_MS },
		),
	);
	for (const [index, draft] of fitting.entries()) {
		const preview = results[index];
		if (preview === undefined || !countPreview(tally, draft, preview))
			throw previewUnknown();
	}
}
