import {
	type RpcRoute,
	rpcRoute,
	withContext,
} from "@airtower/platform/rpc/route";
import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import type { Context } from "../context.ts";
import { changeCampaign } from "./change-campaign.ts";
import { createCampaign } from "./create-campaign.ts";
import { createContact } from "./create-contact.ts";
import { deleteContact } from "./delete-contact.ts";
import { getCampaign } from "./get-campaign.ts";
import { listCampaigns } from "./list-campaigns.ts";
import { listContacts } from "./list-contacts.ts";
import { listRecipients } from "./list-recipients.ts";
import { previewCampaign } from "./preview-campaign.ts";
import { createPreviewLine } from "./preview-line.ts";

/** A preview of a large audience takes seconds: they may not take all calls of the service. */
const PREVIEW_SLOTS = 64;

export function rpcRoutes(ctx: Context, wakeCampaigns: () => void): RpcRoute[] {
	return [
		rpcRoute(
			ContactsService,
			withContext(ctx, { createContact, listContacts, deleteContact }),
		),
		rpcRoute(
			CampaignsService,
			withContext(
				{ ...ctx, wakeCampaigns, inPreviewLine: createPreviewLine() },
				{
					createCampaign,
					previewCampaign,
					listCampaigns,
					getCampaign,
					listRecipients,
					changeCampaign,
				},
			),
			{ methods: ["previewCampaign"], slots: PREVIEW_SLOTS },
		),
	];
}
