import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import { topics } from "@airtower/proto/rules/topics";
import { applyWhatsAppEvents } from "./whatsapp-events.ts";

type ConsumerGroup = Pick<ConsumerOptions, "group" | "topics" | "apply">;

export const consumerGroups: readonly ConsumerGroup[] = [
	{
		group: "messaging.whatsapp",
		topics: [topics.whatsappEvent],
		apply: applyWhatsAppEvents,
	},
];
