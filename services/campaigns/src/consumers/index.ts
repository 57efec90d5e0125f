import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import { topics } from "@airtower/proto/rules/topics";
import { applyAccountChanges } from "./account-changes.ts";
import { applyMessageOutcomes, isOfCampaign } from "./message-outcomes.ts";

type ConsumerGroup = Pick<
	ConsumerOptions,
	"group" | "topics" | "concerns" | "apply" | "appliesOnce"
>;

/** @param sharePercent of what is granted, for campaigns that ran out of quota */
export function consumerGroups(
	wakeCampaigns: () => void,
	sharePercent: number,
): ConsumerGroup[] {
	return [
		{
			group: "campaigns.outcomes",
			topics: [topics.messagingOutcome],
			concerns: isOfCampaign,
			apply: applyMessageOutcomes,
			appliesOnce: true,
		},
		{
			group: "campaigns.accounts",
			topics: [topics.accountsChange],
			apply: async (sql, events, afterCommit) => {
				await applyAccountChanges(sql, events, sharePercent);
				afterCommit(wakeCampaigns);
			},
		},
	];
}
