import type {
	SendWhatsAppMessageSchema,
	SendWhatsAppResult,
} from "@airtower/proto/whatsapp/v1/whatsapp";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "../clients.ts";
import type { Telemetry } from "../telemetry.ts";
import { createSendQueue, type SendQueue } from "./send-queue.ts";

export type WhatsAppMessageToSend = MessageInitShape<
	typeof SendWhatsAppMessageSchema
>;
export type WhatsAppQueue = SendQueue<
	WhatsAppMessageToSend,
	SendWhatsAppResult
>;

/** Gathers the WhatsApp messages of concurrent requests into SendWhatsAppMessages calls. */
export function createWhatsAppQueue(
	whatsapp: Pick<Clients["whatsapp"], "sendWhatsAppMessages">,
	telemetry: Telemetry,
): WhatsAppQueue {
	return createSendQueue({
		channel: "whatsapp",
		maxMessagesPerCall: 100,
		telemetry,
		send: async (messages: WhatsAppMessageToSend[]) => {
			const { results } = await whatsapp.sendWhatsAppMessages({ messages });
			return results;
		},
	});
}
