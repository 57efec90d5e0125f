import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { Contact } from "@airtower/proto/campaigns/v1/contacts";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import { noQuery, successBody } from "../../schemas/common.ts";
import {
	type ContactRecord,
	contactReply,
	contactsQuery,
	contactsReply,
	createContactBody,
	deleteContactQuery,
} from "../../schemas/contacts.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { requiredTime } from "../times.ts";

const RESOURCE = "contacts";

/** GET, POST and DELETE /contacts. */
export function contactRoutes(ctx: Context): FastifyPluginAsyncZod {
	const { contacts } = ctx.clients;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/contacts",
			config: {
				access: scopeAccess("contacts:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listContacts",
				tags: ["Contacts"],
				summary: "List contacts",
				description: "Newest first, of one tag when one is given.",
				querystring: contactsQuery,
				response: { 200: contactsReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { tag = "" } = request.query;
				const scope = { resource: RESOURCE, organizationId, filters: { tag } };
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const answer = await withRequestId(request.id, () =>
					contacts.listContacts({ organizationId, tag, page }),
				);
				return {
					success: true as const,
					contacts: answer.contacts.map(contactRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, answer.next),
				};
			},
		});

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
				querystring: noQuery,
				body: createContactBody,
				response: { 200: contactReply },
			},
			handler: async (request, reply) => {
				const { organizationId, defaultCountry } = callerOf(request);
				const { name, phone, email = "", tags = [] } = request.body;
				const answer = await withRequestId(request.id, () =>
					contacts.createContact({
						organizationId,
						name,
						phone,
						email,
						tags: typeof tags === "string" ? tags.split(",") : tags,
						defaultCountry,
						...idempotencyField(request),
					}),
				);
				markReplay(reply, answer.replayed);
				return {
					success: true as const,
					contact: contactRecord(answer.contact),
				};
			},
		});

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
				response: { 200: successBody },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const contactId = BigInt(request.query.id);
				await withRequestId(request.id, () =>
					contacts.deleteContact({ organizationId, contactId }),
				);
				return { success: true as const };
			},
		});
	};
}

function contactRecord(contact: Contact | undefined): ContactRecord {
	if (contact === undefined) throw new Error("the answer has no contact");
	return {
		id: Number(contact.id),
		name: contact.name,
		phone: contact.phone,
		email: contact.email || null,
		tags: contact.tags,
		created_at: requiredTime(contact.createdAt),
	};
}
