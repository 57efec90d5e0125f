import type {
	MessageAccepted,
	SendMessageSchema,
} from "@airtower/proto/messaging/v1/messaging";
import type {
	SendWhatsAppMessageSchema,
	WhatsAppAccepted,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "../clients.ts";
import type { Telemetry } from "../telemetry.ts";
import { createSendQueue, type SendQueue } from "./send-queue.ts";

const MAX_SMS_PER_CALL = 500;
const MAX_WHATSAPP_PER_CALL = 100;

export type Sms = MessageInitShape<typeof SendMessageSchema>;
export type WhatsAppMessage = MessageInitShape<
	typeof SendWhatsAppMessageSchema
>;

export type SmsQueue = SendQueue<Sms, MessageAccepted>;
export type WhatsAppQueue = SendQueue<WhatsAppMessage, WhatsAppAccepted>;

export function createSmsQueue(
	{ messaging }: Pick<Clients, "messaging">,
	telemetry: Telemetry,
): SmsQueue {
	return createSendQueue<Sms, MessageAccepted>({
		channel: "sms",
		maxMessagesPerCall: MAX_SMS_PER_CALL,
		telemetry,
		send: async (messages) =>
			(await messaging.sendMessages({ messages })).results,
	});
}

export function createWhatsAppQueue(
	{ whatsapp }: Pick<Clients, "whatsapp">,
	telemetry: Telemetry,
): WhatsAppQueue {
	return createSendQueue<WhatsAppMessage, WhatsAppAccepted>({
		channel: "whatsapp",
		maxMessagesPerCall: MAX_WHATSAPP_PER_CALL,
		telemetry,
		send: async (messages) =>
			(await whatsapp.sendWhatsAppMessages({ messages })).results,
	});
}
