import { withRequestId } from "@airtower/platform/runtime/request-context";
import type {
	Conversation,
	Template,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { filterRange, filterRecipient } from "../../schemas/filters.ts";
import {
	type WhatsAppConversationRecord,
	type WhatsAppTemplateRecord,
	whatsappConversation,
	whatsappConversationsQuery,
	whatsappConversationsReply,
	whatsappTemplate,
	whatsappTemplatesQuery,
	whatsappTemplatesReply,
} from "../../schemas/whatsapp.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { optionalTime, requiredTime } from "../times.ts";

/** GET /whatsapp/templates and GET /whatsapp/conversations. */
export function whatsappListRoutes(ctx: Context): FastifyPluginAsyncZod {
	const { whatsapp } = ctx.clients;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/whatsapp/templates",
			config: {
				access: scopeAccess("whatsapp:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listWhatsAppTemplates",
				tags: ["WhatsApp"],
				summary: "List WhatsApp templates",
				description: "Newest first. Locally disabled ones are not listed.",
				querystring: whatsappTemplatesQuery,
				response: { 200: whatsappTemplatesReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { limit: _limit, cursor: _cursor, ...filters } = request.query;
				const scope = {
					resource: "whatsapp-templates",
					organizationId,
					filters,
				};
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { templates, next } = await withRequestId(request.id, () =>
					whatsapp.listTemplates({
						organizationId,
						page,
						status: filters.status ?? "",
						category: filters.category ?? "",
						name: filters.name ?? "",
						...filterRange(filters),
					}),
				);
				return {
					success: true as const,
					templates: templates.map(templateRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});

		app.route({
			method: "GET",
			url: "/whatsapp/conversations",
			config: {
				access: scopeAccess("whatsapp:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listWhatsAppConversations",
				tags: ["WhatsApp"],
				summary: "List WhatsApp conversations",
				description:
					"Newest first. A conversation is open while a text may be sent: for 24 hours after the user's last message.",
				querystring: whatsappConversationsQuery,
				response: { 200: whatsappConversationsReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { limit: _limit, cursor: _cursor, ...filters } = request.query;
				const scope = {
					resource: "whatsapp-conversations",
					organizationId,
					filters,
				};
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { conversations, next } = await withRequestId(request.id, () =>
					whatsapp.listConversations({
						organizationId,
						page,
						status: filters.status ?? "",
						recipient: filterRecipient(filters.recipient),
						...filterRange(filters),
					}),
				);
				return {
					success: true as const,
					conversations: conversations.map(conversationRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});
	};
}

function templateRecord(template: Template): WhatsAppTemplateRecord {
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

function conversationRecord(
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
