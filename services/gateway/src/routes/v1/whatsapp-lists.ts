import { filterRange, filterRecipient } from "../../schemas/filters.ts";
import {
	whatsappConversation,
	whatsappConversationsQuery,
	whatsappMessage,
	whatsappMessagesQuery,
	whatsappTemplate,
	whatsappTemplatesQuery,
} from "../../schemas/whatsapp/whatsapp-lists.ts";
import { addList } from "../add-list.ts";
import type { Routes } from "../routes.ts";
import { toRecord } from "../to-record.ts";

export const listWhatsAppMessages: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/whatsapp/messages",
		scope: "whatsapp:read",
		operationId: "listWhatsAppMessages",
		tag: "WhatsApp",
		summary: "List WhatsApp messages",
		description: "Sent and received ones, newest first, without texts.",
		query: whatsappMessagesQuery,
		rows: { messages: whatsappMessage.array() },
		find: async (page, filters, caller) => {
			const { messages, next } = await ctx.clients.whatsapp.listMessages({
				...page,
				status: filters.status ?? "",
				billingCategory: filters.billing_category ?? "",
				templateName: filters.template_name ?? "",
				recipient: filterRecipient(filters.recipient, caller),
				...filterRange(filters),
			});
			const records = messages.map(({ errorCode: code, ...one }) =>
				toRecord(whatsappMessage, { ...one, error: code ? { code } : null }),
			);
			return { messages: records, next };
		},
	});
};

export const listWhatsAppTemplates: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/whatsapp/templates",
		scope: "whatsapp:read",
		operationId: "listWhatsAppTemplates",
		tag: "WhatsApp",
		summary: "List WhatsApp templates",
		description: "Newest first. Locally disabled ones are not listed.",
		query: whatsappTemplatesQuery,
		rows: { templates: whatsappTemplate.array() },
		find: async (page, filters) => {
			const { templates, next } = await ctx.clients.whatsapp.listTemplates({
				...page,
				status: filters.status ?? "",
				category: filters.category ?? "",
				name: filters.name ?? "",
				...filterRange(filters),
			});
			const records = templates.map((one) => toRecord(whatsappTemplate, one));
			return { templates: records, next };
		},
	});
};

export const listWhatsAppConversations: Routes = (app, ctx) => {
	addList(app, ctx, {
		url: "/whatsapp/conversations",
		scope: "whatsapp:read",
		operationId: "listWhatsAppConversations",
		tag: "WhatsApp",
		summary: "List WhatsApp conversations",
		description:
			"Newest first. A conversation is open while a text may be sent: for 24 hours after the user's last message.",
		query: whatsappConversationsQuery,
		rows: { conversations: whatsappConversation.array() },
		find: async (page, filters, caller) => {
			const found = await ctx.clients.whatsapp.listConversations({
				...page,
				status: filters.status ?? "",
				recipient: filterRecipient(filters.recipient, caller),
				...filterRange(filters),
			});
			const conversations = found.conversations.map((one) =>
				toRecord(whatsappConversation, one),
			);
			return { conversations, next: found.next };
		},
	});
};
