import { cutPage, pageStart } from "@airtower/platform/database/page";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import type {
	ListCampaignsRequest,
	ListCampaignsResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { findCampaigns } from "../store/campaigns.ts";
import { campaignToProto } from "./campaign-to-proto.ts";

/** One page of campaigns with their progress, newest first. */
export async function listCampaigns(
	ctx: Context,
	request: ListCampaignsRequest,
	context: HandlerContext,
): Promise<MessageInitShape<typeof ListCampaignsResponseSchema>> {
	assertOrganization(context, request.organizationId);
	const limit = request.page?.limit ?? 0;
	const found = await findCampaigns(ctx.sql, request.organizationId, {
		limit: limit + 1,
		after: pageStart(request.page),
	});
	const { rows, next } = cutPage(found, limit);
	return { campaigns: rows.map(campaignToProto), ...(next && { next }) };
}
