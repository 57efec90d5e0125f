import type {
	MessageAccepted,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { FastifyRequest } from "fastify";
import type { FastifyPluginAsyncZod } from "fastify-type-provider-zod";
import type { Context } from "../../context.ts";
import { scopeAccess } from "../../domain/access.ts";
import { type Refusal, refusalOfReason } from "../../errors.ts";
import { callerOf } from "../../plugins/auth.ts";
import { sendError, sendRefusal } from "../../plugins/errors.ts";
import { idempotencyField, markReplay } from "../../plugins/idempotency.ts";
import { noQuery } from "../../schemas/common.ts";
import {
	type SendSmsBody,
	type SendSmsReply,
	sendSmsBody,
	sendSmsReply,
} from "../../schemas/sms.ts";
import type { MessageToSend } from "../../sending/send-messages.ts";

/** POST /sms/send. */
export function smsRoutes(ctx: Context): FastifyPluginAsyncZod {
	return async (app) => {
		app.route({
			method: "POST",
			url: "/sms/send",
			config: {
				access: scopeAccess("sms:send"),
				errors: [
					"sender_required",
					"unknown_sender",
					"sender_not_approved",
					"quota_exhausted",
				],
			},
			schema: {
				operationId: "sendSms",
				tags: ["SMS"],
				summary: "Send an SMS",
				description:
					"Accepts one message for one recipient. 202 means that the message is stored, queued and paid for with one unit of quota; the outcome follows by webhook. Send an Idempotency-Key and repeat the request with it whenever no answer came: it is never accepted or charged twice.",
				querystring: noQuery,
				body: sendSmsBody,
				response: { 202: sendSmsReply },
			},
			handler: (request, reply) => {
				const message = messageOf(request, request.body);
				ctx.messages.add(message, request.raw.socket).then(
					({ result }) => {
						if (result.case !== "accepted")
							return sendRefusal(reply, refusalOf(result));
						markReplay(reply, result.value.replayed);
						reply.code(202).send(replyOf(result.value));
					},
					(error: unknown) => sendError(reply, error),
				);
			},
		});
	};
}

function messageOf(request: FastifyRequest, body: SendSmsBody): MessageToSend {
	const { organizationId, defaultCountry } = callerOf(request);
	return {
		organizationId,
		to: body.to,
		body: body.message,
		senderId: body.senderId ?? "",
		senderName: body.senderName ?? "",
		clientReference: body.clientReference ?? "",
		defaultCountry,
		...idempotencyField(request),
	};
}

function replyOf(accepted: MessageAccepted): SendSmsReply {
	return {
		success: true,
		queued: true,
		status: "accepted",
		count: 1,
		remainingQuota: Number(accepted.remainingQuota),
		provider: {
			code: accepted.route,
			messageId: accepted.messageId,
			httpStatus: 202,
		},
	};
}

function refusalOf(result: SendResult["result"]): Refusal {
	const refusal =
		result.case === "refused" ? refusalOfReason(result.value) : undefined;
	return refusal ?? { code: "internal_error" };
}
