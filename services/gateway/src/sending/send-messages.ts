import type {
	SendMessageSchema,
	SendResult,
} from "@airtower/proto/messaging/v1/messaging";
import type { MessageInitShape } from "@bufbuild/protobuf";
import type { Clients } from "../clients.ts";
import type { Telemetry } from "../telemetry.ts";
import { createSendQueue, type SendQueue } from "./send-queue.ts";

export type MessageToSend = MessageInitShape<typeof SendMessageSchema>;
export type MessageQueue = SendQueue<MessageToSend, SendResult>;

/** Gathers the SMS of concurrent requests into SendMessages calls. */
export function createMessageQueue(
	messaging: Pick<Clients["messaging"], "sendMessages">,
	telemetry: Telemetry,
): MessageQueue {
	return createSendQueue({
		channel: "sms",
		maxMessagesPerCall: 500,
		telemetry,
		send: async (messages: MessageToSend[]) => {
			const { results } = await messaging.sendMessages({ messages });
			return results;
		},
	});
}
