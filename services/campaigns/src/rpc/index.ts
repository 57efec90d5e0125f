import { CampaignsService } from "@airtower/proto/campaigns/v1/campaigns";
import { ContactsService } from "@airtower/proto/campaigns/v1/contacts";
import type { ConnectRouter } from "@connectrpc/connect";
import type { CampaignsContext } from "../context.ts";
import { createCampaign } from "./create-campaign.ts";
import { createContact } from "./create-contact.ts";
import { handleDeleteContact } from "./delete-contact.ts";
import { handleListCampaigns } from "./list-campaigns.ts";
import { handleListContacts } from "./list-contacts.ts";

export const services = [ContactsService, CampaignsService];

/** Registers every method of the service. */
export function routes(ctx: CampaignsContext) {
	return (router: ConnectRouter): void => {
		router.service(ContactsService, {
			createContact: (request, context) => createContact(ctx, request, context),
			listContacts: (request, context) =>
				handleListContacts(ctx, request, context),
			deleteContact: (request, context) =>
				handleDeleteContact(ctx, request, context),
		});
		router.service(CampaignsService, {
			createCampaign: (request, context) =>
				createCampaign(ctx, request, context),
			listCampaigns: (request, context) =>
				handleListCampaigns(ctx, request, context),
		});
	};
}
