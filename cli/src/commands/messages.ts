import { domainErrorFrom } from "@airtower/platform/rpc/client";
import type { TraceMessageResponse } from "@airtower/proto/messaging/v1/admin";
import type { TraceWhatsAppMessageResponse } from "@airtower/proto/whatsapp/v1/admin";
import type { Command } from "../command.ts";
import { type Output, toRow } from "../output.ts";
import { smppStatusText } from "../smpp-status-text.ts";
import { parseUuid, parseWord } from "../values.ts";

const OUTCOMES = ["delivered", "failed", "resend"];

export const messageCommands: readonly Command[] = [
	{
		line: "messages trace <message-id>",
		summary: "Shows the life of an SMS or a WhatsApp message",
		run: async (call) => {
			const messageId = parseUuid(call, "message-id");
			const messaging = call.clients.messaging();
			const whatsapp = call.clients.whatsapp();
			const sms = await messaging
				.traceMessage({ messageId })
				.catch(unlessUnknown);
			if (sms !== undefined) return showSms(sms);
			return showWhatsApp(await whatsapp.traceWhatsAppMessage({ messageId }));
		},
	},
	{
		line: "messages list",
		summary:
			"Lists the SMS that were sent without a response, the longest unknown first, and what becomes of them by itself",
		required: { "--status <status>": "unknown" },
		run: async (call) => {
			const status = parseWord("--status", call.text("status"), ["unknown"]);
			const { messages, more } = await call.clients
				.messaging()
				.listMessages({ status });
			const found = messages.map((message) => ({
				...toRow(message, "messageId", "organizationId", "to", "route"),
				...toRow(message, "attempts", "acceptedAt", "unknownSince"),
				...toRow(message, "resendAt", "failsAt"),
			}));
			const note = "There are more than these, unknown for a shorter time.";
			const whenEmpty = "No message is unknown.";
			return { content: found, whenEmpty, note: more ? note : undefined };
		},
	},
	{
		line: "messages resolve <message-id> <outcome>",
		summary:
			"Ends an unknown SMS as delivered or failed, or sends it again (resend), marked as a possible duplicate",
		run: async (call) => {
			const messageId = parseUuid(call, "message-id");
			const given = call.text("outcome");
			const outcome = parseWord("<outcome>", given, OUTCOMES);
			const messaging = call.clients.messaging();
			const { status } = await messaging.resolveMessage({ messageId, outcome });
			return { content: { message_id: messageId, outcome, status } };
		},
	},
];

function unlessUnknown(error: unknown): undefined {
	if (domainErrorFrom(error)?.reason !== "unknown_message") throw error;
}

function showSms(trace: TraceMessageResponse): Output {
	return {
		content: {
			channel: "sms",
			...toRow(trace, "messageId", "organizationId", "to", "status", "reason"),
			...toRow(trace, "route", "firstRoute", "rulesVersion"),
			...toRow(trace, "priority", "segments", "attempts"),
			...toRow(trace, "possibleDuplicate"),
			...toRow(trace, "operatorError"),
			operator_error_means: smppStatusText(trace.operatorError),
			...toRow(trace, "acceptedAt", "sendAt", "submittedAt", "finishedAt"),
			parts: trace.parts.map((part) =>
				toRow(part, "number", "operatorMessageId", "status", "operatorError"),
			),
		},
	};
}

function showWhatsApp(trace: TraceWhatsAppMessageResponse): Output {
	const { message } = trace;
	return {
		content: {
			channel: "whatsapp",
			message_id: message?.id,
			organization_id: trace.organizationId,
			...toRow(message, "direction", "type"),
			template: message?.templateName,
			status: message?.status,
			reason: message?.errorCode,
			...toRow(trace, "attempts", "providerMessageId", "providerError"),
			...toRow(message, "createdAt", "sentAt", "deliveredAt", "readAt"),
		},
	};
}
