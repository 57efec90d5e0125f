import {
	respondOnce,
	toIdempotencyKey,
} from "@airtower/platform/database/respond-once";
import { assertOrganization } from "@airtower/platform/rpc/caller";
import { assertInTime } from "@airtower/platform/rpc/in-time";
import type { Handler } from "@airtower/platform/rpc/route";
import {
	type CampaignsService,
	CreateCampaignResponseSchema,
} from "@airtower/proto/campaigns/v1/campaigns";
import type { Context } from "../context.ts";
import { insertCampaign, lockOpenCampaigns } from "../store/campaigns.ts";
import { insertRecipientImports } from "../store/recipient-imports.ts";
import { campaignToProto } from "./campaign-to-proto.ts";
import {
	assertMayCreate,
	readCampaign,
	readRecipients,
} from "./read-campaign.ts";

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
	const recipients = readRecipients(request);
	const { response, replayed } = await respondOnce(ctx.sql, {
		schema: CreateCampaignResponseSchema,
		key: toIdempotencyKey(request.organizationId, request.idempotency),
		work: async (sql) => {
			if (reading.status === "rejected") throw reading.reason;
			await lockOpenCampaigns(sql, request.organizationId);
			await assertMayCreate(ctx, sql, request.organizationId);
			const row = await insertCampaign(sql, reading.value);
			await insertRecipientImports(sql, row.id, recipients);
			assertInTime(context);
			return { campaign: campaignToProto(row) };
		},
	});
	if (!replayed) ctx.wakeCampaigns();
	return { ...response, replayed };
};
