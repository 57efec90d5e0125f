import type {
	Conversation,
	Template,
	WhatsAppMessage,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { filterRange, filterRecipient } from "../../schemas/filters.ts";
import { pageBody } from "../../schemas/pages.ts";
import {
	type WhatsAppConversationRecord,
	type WhatsAppMessageRecord,
	type WhatsAppTemplateRecord,
	whatsappConversation,
	whatsappConversationsQuery,
	whatsappMessage,
	whatsappMessagesQuery,
	whatsappTemplate,
	whatsappTemplatesQuery,
} from "../../schemas/whatsapp-lists.ts";
import { findPage } from "../pages.ts";
import type { App } from "../routes.ts";
import { optionalTime, requiredTime } from "../times.ts";

/** GET /whatsapp/messages, /whatsapp/templates and /whatsapp/conversations. */
export function whatsappListRoutes(app: App, ctx: Context): void {
	listMessages(app, ctx);
	listTemplates(app, ctx);
	listConversations(app, ctx);
}

function listMessages(app: App, ctx: Context): void {
	app.route({
		method: "GET",
		url: "/whatsapp/messages",
		config: { access: scopeAccess("whatsapp:read") },
		schema: {
			operationId: "listWhatsAppMessages",
			tags: ["WhatsApp"],
			summary: "List WhatsApp messages",
			description: "Sent and received ones, newest first, without texts.",
			querystring: whatsappMessagesQuery,
			response: { 200: pageBody({ messages: whatsappMessage.array() }) },
		},
		handler: async (request) => {
			const { found, nextCursor } = await findPage(
				ctx,
				"whatsapp-messages",
				request,
				(page, filters) =>
					ctx.clients.whatsapp.listMessages({
						...page,
						status: filters.status ?? "",
						billingCategory: filters.billing_category ?? "",
						templateName: filters.template_name ?? "",
						recipient: filterRecipient(filters.recipient),
						...filterRange(filters),
					}),
			);
			const messages = found.messages.map(toMessage);
			return { success: true as const, messages, nextCursor };
		},
	});
}

function listTemplates(app: App, ctx: Context): void {
	app.route({
		method: "GET",
		url: "/whatsapp/templates",
		config: { access: scopeAccess("whatsapp:read") },
		schema: {
			operationId: "listWhatsAppTemplates",
			tags: ["WhatsApp"],
			summary: "List WhatsApp templates",
			description: "Newest first. Locally disabled ones are not listed.",
			querystring: whatsappTemplatesQuery,
			response: { 200: pageBody({ templates: whatsappTemplate.array() }) },
		},
		handler: async (request) => {
			const { found, nextCursor } = await findPage(
				ctx,
				"whatsapp-templates",
				request,
				(page, { status = "", category = "", name = "", ...range }) =>
					ctx.clients.whatsapp.listTemplates({
						...page,
						status,
						category,
						name,
						...filterRange(range),
					}),
			);
			const templates = found.templates.map(toTemplate);
			return { success: true as const, templates, nextCursor };
		},
	});
}

function listConversations(app: App, ctx: Context): void {
	app.route({
		method: "GET",
		url: "/whatsapp/conversations",
		config: { access: scopeAccess("whatsapp:read") },
		schema: {
			operationId: "listWhatsAppConversations",
			tags: ["WhatsApp"],
			summary: "List WhatsApp conversations",
			description:
				"Newest first. A conversation is open while a text may be sent: for 24 hours after the user's last message.",
			querystring: whatsappConversationsQuery,
			response: {
				200: pageBody({ conversations: whatsappConversation.array() }),
			},
		},
		handler: async (request) => {
			const { found, nextCursor } = await findPage(
				ctx,
				"whatsapp-conversations",
				request,
				(page, { status = "", recipient, ...range }) =>
					ctx.clients.whatsapp.listConversations({
						...page,
						status,
						recipient: filterRecipient(recipient),
						...filterRange(range),
					}),
			);
			const conversations = found.conversations.map(toConversation);
			return { success: true as const, conversations, nextCursor };
		},
	});
}

function toMessage(message: WhatsAppMessage): WhatsAppMessageRecord {
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

function toTemplate(template: Template): WhatsAppTemplateRecord {
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

function toConversation(
	conversation: Conversation,
): WhatsAppConversationRecord {
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
