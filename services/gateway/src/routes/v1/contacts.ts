import type { Contact } from "@airtower/proto/campaigns/v1/contacts";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import { successBody } from "../../schemas/common.ts";
import {
	contact,
	contactsQuery,
	createContactBody,
	deleteContactQuery,
} from "../../schemas/contacts.ts";
import { addList } from "../add-list.ts";
import { required, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET, POST and DELETE /contacts. */
export function contactRoutes(app: App, ctx: Context): void {
	listContacts(app, ctx);
	createContact(app, ctx);
	deleteContact(app, ctx);
}

function listContacts(app: App, ctx: Context): void {
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
			const { contacts, next } = await ctx.clients.contacts.listContacts(asked);
			return { contacts: contacts.map(toContact), next };
		},
	});
}

function createContact(app: App, { clients }: Context): void {
	app.route({
		method: "POST",
		url: "/contacts",
		config: {
			access: scopeAccess("contacts:write"),
			errors: ["contact_exists"],
		},
		schema: {
			operationId: "createContact",
			tags: ["Contacts"],
			summary: "Create a contact",
			description: "A phone number is unique within the organization.",
			body: createContactBody,
			response: { 200: successBody({ contact }) },
		},
		handler: async (request, reply) => {
			const { organizationId, defaultCountry } = callerOf(request);
			const { name, phone, email = "", tags = [] } = request.body;
			const { contact, replayed } = await clients.contacts.createContact({
				organizationId,
				name,
				phone,
				email,
				tags: typeof tags === "string" ? tags.split(",") : tags,
				defaultCountry,
				...request.idempotent,
			});
			markReplay(reply, replayed);
			return { success: true as const, contact: toContact(required(contact)) };
		},
	});
}

function deleteContact(app: App, { clients }: Context): void {
	app.route({
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
		handler: async (request) => {
			const { organizationId } = callerOf(request);
			const contactId = BigInt(request.query.id);
			await clients.contacts.deleteContact({ organizationId, contactId });
			return { success: true as const };
		},
	});
}

function toContact(contact: Contact) {
	return {
		id: Number(contact.id),
		name: contact.name,
		phone: contact.phone,
		email: contact.email || null,
		tags: contact.tags,
		created_at: requiredTime(contact.createdAt),
	};
}
