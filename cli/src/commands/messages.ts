import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { TraceMessageResponse } from "@airtower/proto/messaging/v1/admin";
import type { TraceWhatsAppMessageResponse } from "@airtower/proto/whatsapp/v1/admin";
import type { Command } from "../command.ts";
import { type Output, record } from "../output.ts";
import { dateOf, uuidOf } from "../values.ts";

export const traceMessage: Command = {
	name: "messages trace",
	summary: "Shows the life of an SMS or a WhatsApp message",
	args: ["message-id"],
	run: async ({ clients, ...call }) => {
		const messageId = uuidOf({ clients, ...call }, "message-id");
		const sms = await clients.messaging
			.traceMessage({ messageId })
			.catch(unlessUnknown);
		if (sms !== undefined) return showSms(sms);
		return showWhatsApp(
			await clients.whatsapp.traceWhatsAppMessage({ messageId }),
		);
	},
};

function unlessUnknown(error: unknown): undefined {
	if (domainErrorFrom(error)?.reason !== "unknown_message") throw error;
}

function showSms(trace: TraceMessageResponse): Output {
	return record(
		{
			channel: "sms",
			message_id: trace.messageId,
			organization_id: trace.organizationId,
			to: trace.to,
			status: trace.status,
			reason: trace.reason,
			route: trace.route,
			segments: trace.segments,
			attempts: trace.attempts,
			possible_duplicate: trace.possibleDuplicate,
			operator_error: trace.operatorError,
			accepted_at: dateOf(trace.acceptedAt),
			submitted_at: dateOf(trace.submittedAt),
			finished_at: dateOf(trace.finishedAt),
		},
		{
			parts: trace.parts.map((part) => ({
				number: part.number,
				operator_message_id: part.operatorMessageId,
				status: part.status,
				operator_error: part.operatorError,
			})),
		},
	);
}

function showWhatsApp(trace: TraceWhatsAppMessageResponse): Output {
	const { message } = trace;
	return record({
		channel: "whatsapp",
		message_id: message?.id,
		organization_id: trace.organizationId,
		direction: message?.direction,
		type: message?.type,
		template: message?.templateName,
		status: message?.status,
		reason: message?.errorCode,
		attempts: trace.attempts,
		provider_message_id: trace.providerMessageId,
		provider_error: trace.providerError,
		created_at: dateOf(message?.createdAt),
		sent_at: dateOf(message?.sentAt),
		delivered_at: dateOf(message?.deliveredAt),
		read_at: dateOf(message?.readAt),
	});
}
