import { withRequestId } from "@airtower/platform/runtime/request-context";
import type { WhatsAppMessage } from "@airtower/proto/whatsapp/v1/whatsapp";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { RefusalError, refusalOfReason } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import { noQuery } from "../../schemas/common.ts";
import { filterRange, filterRecipient } from "../../schemas/filters.ts";
import {
	type SendWhatsAppBody,
	sendWhatsAppBody,
	sendWhatsAppReply,
	type WhatsAppMessageRecord,
	whatsappMessage,
	whatsappMessagesQuery,
	whatsappMessagesReply,
} from "../../schemas/whatsapp.ts";
import type { WhatsAppMessageToSend } from "../../sending/send-whatsapp-messages.ts";
import { nextCursorOf, pageRequestOf } from "../pages.ts";
import { optionalTime, requiredTime } from "../times.ts";

const RESOURCE = "whatsapp-messages";

/** GET and POST /whatsapp/messages. */
export function whatsappMessageRoutes(ctx: Context): FastifyPluginAsyncZod {
	const { whatsapp } = ctx.clients;
	return async (app) => {
		app.route({
			method: "GET",
			url: "/whatsapp/messages",
			config: {
				access: scopeAccess("whatsapp:read"),
				errors: ["invalid_cursor"],
			},
			schema: {
				operationId: "listWhatsAppMessages",
				tags: ["WhatsApp"],
				summary: "List WhatsApp messages",
				description: "Sent and received ones, newest first, without texts.",
				querystring: whatsappMessagesQuery,
				response: { 200: whatsappMessagesReply },
			},
			handler: async (request) => {
				const { organizationId } = callerOf(request);
				const { limit: _limit, cursor: _cursor, ...filters } = request.query;
				const scope = { resource: RESOURCE, organizationId, filters };
				const page = pageRequestOf(ctx.cursorKeys, scope, request.query);
				const { messages, next } = await withRequestId(request.id, () =>
					whatsapp.listMessages({
						organizationId,
						page,
						status: filters.status ?? "",
						billingCategory: filters.billing_category ?? "",
						templateName: filters.template_name ?? "",
						recipient: filterRecipient(filters.recipient),
						...filterRange(filters),
					}),
				);
				return {
					success: true as const,
					messages: messages.map(messageRecord),
					nextCursor: nextCursorOf(ctx.cursorKeys, scope, next),
				};
			},
		});

		app.route({
			method: "POST",
			url: "/whatsapp/messages",
			config: {
				access: scopeAccess("whatsapp:send"),
				errors: [
					"unknown_phone_number",
					"template_not_found",
					"template_not_sendable",
					"template_category_mismatch",
					"template_parameters_mismatch",
					"service_window_closed",
				],
			},
			schema: {
				operationId: "sendWhatsAppMessage",
				tags: ["WhatsApp"],
				summary: "Send a WhatsApp message",
				description:
					"An approved utility or authentication template, or a text within 24 hours of the user's last message. 202 means that the message is stored and queued; the outcome follows by webhook.",
				querystring: noQuery,
				body: sendWhatsAppBody,
				response: { 202: sendWhatsAppReply },
			},
			handler: async (request, reply) => {
				const { result } = await ctx.whatsappMessages.add(
					messageOf(request, request.body),
					request.raw.socket,
				);
				if (result.case !== "accepted") {
					const refusal =
						result.case === "refused"
							? refusalOfReason(result.value)
							: undefined;
					throw new RefusalError(refusal ?? { code: "internal_error" });
				}
				markReplay(reply, result.value.replayed);
				reply.code(202);
				return {
					success: true as const,
					queued: true as const,
					status: "accepted" as const,
					messageId: result.value.messageId,
					clientReference: request.body.clientReference || null,
				};
			},
		});
	};
}

function messageOf(
	request: FastifyRequest,
	body: SendWhatsAppBody,
): WhatsAppMessageToSend {
	const { organizationId, defaultCountry } = callerOf(request);
	return {
		organizationId,
		to: body.to,
		phoneNumberId: body.phoneNumberId,
		content: contentOf(body),
		clientReference: body.clientReference ?? "",
		defaultCountry,
		...idempotencyField(request),
	};
}

function contentOf(body: SendWhatsAppBody) {
	if (body.type === "text") return { case: "text" as const, value: body.text };
	const { parameters = [], ...template } = body.template;
	return { case: "template" as const, value: { ...template, parameters } };
}

function messageRecord(message: WhatsAppMessage): WhatsAppMessageRecord {
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
