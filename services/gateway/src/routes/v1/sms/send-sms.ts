import { setTimeout as delay } from "node:timers/promises";
import { traceparentOf } from "@airtower/platform/tracing/spans";
import type { MessageAccepted } from "@airtower/proto/messaging/v1/messaging";
import { timestampDate, timestampFromDate } from "@bufbuild/protobuf/wkt";
import type { FastifyRequest } from "fastify";
import type { Context } from "../../../context.ts";
import { scopeAccess } from "../../../domain/access.ts";
import { RefusalError } from "../../../errors.ts";
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

/** Until a message that took the last unit under the same key is stored, by far, ms. */
const REPLAY_WAIT_MS = 500;

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
			const accepted = await send(ctx, request, message);
			markReplay(reply, accepted.replayed);
			reply.code(202);
			return toReply(accepted);
		},
	});
};

/**
 * Of two requests with one key at once, one may take the last unit before the other finds its message: which is asked
 * again, or its client would be told that nothing was sent. It waits here, where it holds up no other message.
 */
async function send(
	{ sms }: Context,
	{ idempotent, raw: { socket } }: FastifyRequest,
	message: Sms,
): Promise<MessageAccepted> {
	try {
		return await sms.add(message, socket);
	} catch (error) {
		const mayBeSent =
			idempotent !== undefined &&
			error instanceof RefusalError &&
			error.refusal.code === "quota_exhausted";
		if (!mayBeSent) throw error;
		await delay(REPLAY_WAIT_MS);
		return sms.add(message, socket);
	}
}

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
