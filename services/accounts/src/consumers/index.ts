import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import { topics } from "@airtower/proto/rules/topics";
import type { Context } from "../context.ts";
import { countMessages, isCounted } from "./count-messages.ts";

export type ConsumerGroup = Pick<
	ConsumerOptions,
	"group" | "topics" | "concerns" | "apply" | "appliesOnce"
>;

export function consumerGroups({
	clock,
}: Pick<Context, "clock">): ConsumerGroup[] {
	return [
		{
			group: "accounts.reports",
			topics: [
				topics.messagingAccepted,
				topics.messagingOutcome,
				topics.whatsappAccepted,
				topics.whatsappOutcome,
			],
			concerns: (event) => isCounted(event, clock()),
			apply: countMessages,
			appliesOnce: true,
		},
	];
}
