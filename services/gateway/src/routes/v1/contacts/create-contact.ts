import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import { successBody } from "../../../schemas/common.ts";
import { contact, createContactBody } from "../../../schemas/contacts.ts";
import { required } from "../../required.ts";
import type { Routes } from "../../routes.ts";
import { toRecord } from "../../to-record.ts";

const operation = {
	method: "POST",
	url: "/contacts",
	config: {
		access: scopeAccess("contacts:write"),
		errors: ["contact_exists", "contact_limit_reached"],
	},
	schema: {
		operationId: "createContact",
		tags: ["Contacts"],
		summary: "Create a contact",
		description: "A phone number is unique within the organization.",
		body: createContactBody,
		response: { 200: successBody({ contact }) },
	},
} as const;

export const createContact: Routes = (app, { clients }) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { tags = [], email = "", ...given } = request.body;
			const created = await clients.contacts.createContact({
				organizationId,
				defaultCountry,
				...given,
				email,
				tags: typeof tags === "string" ? tags.split(",") : tags,
				...request.idempotent,
			});
			markReplay(reply, created.replayed);
			const record = toRecord(contact, required(created.contact));
			return { success: true as const, contact: record };
		},
	});
};
