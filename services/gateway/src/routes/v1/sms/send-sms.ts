import { traceparentOf } from "@airtower/platform/tracing/spans";
import type { MessageAccepted } from "@airtower/proto/messaging/v1/messaging";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import { scopeAccess } from "../../../domain/access.ts";
import { callerOf } from "../../../plugins/auth.ts";
import { markReplay } from "../../../plugins/idempotency.ts";
import {
	type SendSmsBody,
	type SendSmsReply,
	sendSmsBody,
	sendSmsReply,
} from "../../../schemas/sms/sms.ts";
import type { Sms } from "../../../sending/send-queue.ts";
import type { Routes } from "../../routes.ts";

const operation = {
	method: "POST",
	url: "/sms/send",
	config: {
		access: scopeAccess("sms:send"),
		isBatched: true,
		errors: [
			"sender_required",
			"unknown_sender",
			"sender_not_approved",
			"recipient_opted_out",
			"quota_exhausted",
		],
	},
	schema: {
		operationId: "sendSms",
		tags: ["SMS"],
		summary: "Send an SMS",
		description: [
			"Accepts one message for one recipient. 202 means that the message is stored, queued and paid for with one unit",
			"of quota; the outcome follows by webhook. Send an Idempotency-Key and repeat the request with it whenever no",
			"response came: it is never accepted or charged twice.",
		].join(" "),
		body: sendSmsBody,
		response: { 202: sendSmsReply },
	},
} as const;

export const sendSms: Routes = (app, ctx) => {
	app.route({
		...operation,
		handler: async (request, reply) => {
			const message = toMessage(request, request.body);
			const accepted = await ctx.sms.add(message, request.raw.socket);
			markReplay(reply, accepted.replayed);
			reply.code(202);
			return toReply(accepted);
		},
	});
};

/** The message that a request means, for the send and its preview. */
export function toMessage(request: FastifyRequest, body: SendSmsBody): Sms {
	const { organizationId, defaultCountry } = callerOf(request);
	return {
		organizationId,
		to: body.to,
		body: body.message,
		senderId: body.senderId ?? "",
		senderName: body.senderName ?? "",
		clientReference: body.clientReference ?? "",
		...(body.send_at && { sendAt: timestampFromDate(new Date(body.send_at)) }),
		messageClass: body.messageClass ?? "",
		defaultCountry,
		priority: body.priority ?? "",
		traceparent: traceparentOf(request.span) ?? "",
		...request.idempotent,
	};
}

function toReply(accepted: MessageAccepted): SendSmsReply {
	const { route: code, messageId, sendAt } = accepted;
	return {
		success: true,
		queued: true,
		status: "accepted",
		count: 1,
		remainingQuota: Number(accepted.remainingQuota),
		...(sendAt && { send_at: timestampDate(sendAt).toISOString() }),
		provider: { code, messageId, httpStatus: 202 },
	};
}
