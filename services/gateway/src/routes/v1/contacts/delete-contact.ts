import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { successBody } from "../../../schemas/common.ts";
import { deleteContactQuery } from "../../../schemas/contacts.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "DELETE",
	url: "/contacts",
	config: {
		access: scopeAccess("contacts:write"),
		errors: ["unknown_contact"],
	},
	schema: {
		operationId: "deleteContact",
		tags: ["Contacts"],
		summary: "Delete a contact",
		description:
			"Campaigns that have begun keep the recipients they began with.",
		querystring: deleteContactQuery,
		response: { 200: successBody({}) },
	},
} as const;

export const deleteContact: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const contactId = BigInt(request.query.id);
			await clients.contacts.deleteContact({ organizationId, contactId });
			return { success: true as const };
		},
	});
};
