import { contact, contactsQuery } from "../../../schemas/contacts.ts";
import { addList } from "../../add-list.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

export const listContacts: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/contacts",
		scope: "contacts:read",
		operationId: "listContacts",
		tag: "Contacts",
		summary: "List contacts",
		description: "Newest first, of one tag when one is given.",
		query: contactsQuery,
		rows: { contacts: contact.array() },
		find: async (page, { tag = "" }) => {
			const asked = { ...page, tag };
			const found = await ctx.clients.contacts.listContacts(asked);
			const contacts = found.contacts.map((one) => toRecord(contact, one));
			return { contacts, next: found.next };
		},
	});
};
