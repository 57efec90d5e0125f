import { traceparentOf } from "@airtower/platform/tracing/spans";
import type { FastifyRequest } from "fastify";
import { scopeAccess } from "../../domain/access.ts";
import { callerOf } from "../../plugins/auth.ts";
import { markReplay } from "../../plugins/idempotency.ts";
import {
	type SendWhatsAppBody,
	sendWhatsAppBody,
	sendWhatsAppReply,
} from "../../schemas/whatsapp/whatsapp-send.ts";
import type { WhatsAppMessage } from "../../sending/send-queue.ts";
import type { Routes } from "../routes.ts";

const operation = {
	method: "POST",
	url: "/whatsapp/messages",
	config: {
		access: scopeAccess("whatsapp:send"),
		isBatched: true,
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
		description: [
			"An approved utility or authentication template, or a text within 24 hours of the user's last message. 202 means",
			"that the message is stored and queued; the outcome follows by webhook.",
		].join(" "),
		body: sendWhatsAppBody,
		response: { 202: sendWhatsAppReply },
	},
} as const;

export const sendWhatsAppMessage: Routes = (app, ctx) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const message = toMessage(request, request.body);
			const accepted = await ctx.whatsapp.add(message, request.raw.socket);
			markReplay(reply, accepted.replayed);
			reply.code(202);
			return {
				success: true as const,
				queued: true as const,
				status: "accepted" as const,
				messageId: accepted.messageId,
				clientReference: request.body.clientReference || null,
			};
		},
	});
};

function toMessage(
	request: FastifyRequest,
	body: SendWhatsAppBody,
): WhatsAppMessage {
	const { organizationId, defaultCountry } = callerOf(request);
	const { to, phoneNumberId, clientReference = "" } = body;
	return {
		organizationId,
		to,
		phoneNumberId,
		clientReference,
		defaultCountry,
		content: toContent(body),
		traceparent: traceparentOf(request.span) ?? "",
		...request.idempotent,
	};
}

function toContent(body: SendWhatsAppBody) {
	if (body.type === "text") return { case: "text" as const, value: body.text };
	const { parameters = [], ...template } = body.template;
	return { case: "template" as const, value: { ...template, parameters } };
}
