import type {
	Conversation,
	Template,
	WhatsAppMessage,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { Context } from "../../context.ts";
import { filterRange, filterRecipient } from "../../schemas/filters.ts";
import {
	whatsappConversation,
	whatsappConversationsQuery,
	whatsappMessage,
	whatsappMessagesQuery,
	whatsappTemplate,
	whatsappTemplatesQuery,
} from "../../schemas/whatsapp-lists.ts";
import { addList } from "../add-list.ts";
import { optionalTime, requiredTime } from "../required.ts";
import type { App } from "../routes.ts";

/** GET /whatsapp/messages, /whatsapp/templates and /whatsapp/conversations. */
export function whatsappListRoutes(app: App, ctx: Context): void {
	listMessages(app, ctx);
	listTemplates(app, ctx);
	listConversations(app, ctx);
}

function listMessages(app: App, ctx: Context): void {
	addList(app, ctx, {
		url: "/whatsapp/messages",
		scope: "whatsapp:read",
		operationId: "listWhatsAppMessages",
		tag: "WhatsApp",
		summary: "List WhatsApp messages",
		description: "Sent and received ones, newest first, without texts.",
		query: whatsappMessagesQuery,
		rows: { messages: whatsappMessage.array() },
		find: async (page, filters) => {
			const { messages, next } = await ctx.clients.whatsapp.listMessages({
				...page,
				status: filters.status ?? "",
				billingCategory: filters.billing_category ?? "",
				templateName: filters.template_name ?? "",
				recipient: filterRecipient(filters.recipient),
				...filterRange(filters),
			});
			return { messages: messages.map(toMessage), next };
		},
	});
}

function listTemplates(app: App, ctx: Context): void {
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
			return { templates: templates.map(toTemplate), next };
		},
	});
}

function listConversations(app: App, ctx: Context): void {
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
		find: async (page, filters) => {
			const found = await ctx.clients.whatsapp.listConversations({
				...page,
				status: filters.status ?? "",
				recipient: filterRecipient(filters.recipient),
				...filterRange(filters),
			});
			const conversations = found.conversations.map(toConversation);
			return { conversations, next: found.next };
		},
	});
}

function toMessage(message: WhatsAppMessage) {
	const { shape } = whatsappMessage;
	return {
		id: message.id,
		direction: shape.direction.parse(message.direction),
		type: message.type,
		recipient: message.recipient || null,
		phone_number_id: message.phoneNumberId,
		status: shape.status.parse(message.status),
		billing_category: shape.billing_category.parse(
			message.billingCategory || null,
		),
		template_name: message.templateName || null,
		template_language: message.templateLanguage || null,
		error: message.errorCode === "" ? null : { code: message.errorCode },
		client_reference: message.clientReference || null,
		created_at: requiredTime(message.createdAt),
		sent_at: optionalTime(message.sentAt),
		delivered_at: optionalTime(message.deliveredAt),
		read_at: optionalTime(message.readAt),
	};
}

function toTemplate(template: Template) {
	const { shape } = whatsappTemplate;
	return {
		id: template.id,
		name: template.name,
		language: template.language,
		category: shape.category.parse(template.category),
		status: shape.status.parse(template.status),
		body: template.body,
		parameter_count: template.parameterCount,
		created_at: requiredTime(template.createdAt),
		updated_at: requiredTime(template.updatedAt),
	};
}

function toConversation(conversation: Conversation) {
	return {
		id: conversation.id,
		phone_number_id: conversation.phoneNumberId,
		recipient: conversation.recipient || null,
		status: whatsappConversation.shape.status.parse(conversation.status),
		window_opened_at: optionalTime(conversation.windowOpenedAt),
		window_expires_at: optionalTime(conversation.windowExpiresAt),
		created_at: requiredTime(conversation.createdAt),
		last_message_at: optionalTime(conversation.lastMessageAt),
	};
}
