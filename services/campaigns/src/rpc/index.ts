import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import type { ConnectRouter } from "@connectrpc/connect";
import type { Context } from "../context.ts";
import { createCampaign } from "./create-campaign.ts";
import { createContact } from "./create-contact.ts";
import { deleteContact } from "./delete-contact.ts";
import { listCampaigns } from "./list-campaigns.ts";
import { listContacts } from "./list-contacts.ts";

export const services = [ContactsService, CampaignsService];

/** Registers every method of the service. */
export function routes(ctx: Context, wakeCampaigns: () => void) {
	return (router: ConnectRouter): void => {
		router.service(ContactsService, {
			createContact: (request, context) => createContact(ctx, request, context),
			listContacts: (request, context) => listContacts(ctx, request, context),
			deleteContact: (request, context) => deleteContact(ctx, request, context),
		});
		router.service(CampaignsService, {
			createCampaign: (request, context) =>
				createCampaign(ctx, wakeCampaigns, request, context),
			listCampaigns: (request, context) => listCampaigns(ctx, request, context),
		});
	};
}
