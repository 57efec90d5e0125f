import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { topics } from "@airtower/proto/rules/topics";
import { applyAccountChanges } from "./account-changes.ts";
import { applyMessageOutcomes, isOfCampaign } from "./message-outcomes.ts";

/** The events that this service follows, and what each group of them does. */
export function consumerGroups(wakeCampaigns: () => void) {
	return [
		{
			group: "campaigns.outcomes",
			topics: [topics.messagingOutcome],
			concerns: isOfCampaign,
			apply: applyMessageOutcomes,
		},
		{
			group: "campaigns.accounts",
			topics: [topics.accountsChange],
			apply: async (sql: Tx, events: BusEvent[]) => {
				await applyAccountChanges(sql, events);
				wakeCampaigns();
			},
		},
	];
}
