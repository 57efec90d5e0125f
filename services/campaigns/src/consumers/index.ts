import type { Tx } from "@airtower/platform/database/database";
import type { ConsumerOptions } from "@airtower/platform/events/consumer";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import {
	addProgress,
	completeSettledCampaigns,
} from "../store/campaign-progress.ts";
import { findOwners } from "../store/campaigns.ts";
import { deleteIdleShares } from "../store/quota-shares.ts";
import { applyResults, type RecipientResult } from "../store/recipients.ts";
import { applyAccountChanges } from "./account-changes.ts";

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

type CampaignOutcome = RecipientResult & {
	readonly campaignId: string;
	readonly organizationId: string;
};

/** False for the outcome of a message that no campaign sent. */
function isOfCampaign(event: BusEvent): boolean {
	return readOutcome(event) !== undefined;
}

/**
 * A recipient has one outcome: an event that comes again changes nothing. A message may name any campaign; that of
 * another organization than its own has not sent it.
 */
export async function applyMessageOutcomes(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const outcomes = events.map(readOutcome).filter((row) => row !== undefined);
	const owners = await findOwners(
		sql,
		outcomes.map(({ campaignId }) => campaignId),
	);
	const own = outcomes.filter(
		({ campaignId, organizationId }) =>
			owners.get(campaignId) === organizationId,
	);
	const byCampaign = Map.groupBy(own, ({ campaignId }) => campaignId);
	const campaignIds = [...byCampaign.keys()].sort();
	for (const id of campaignIds)
		await addProgress(
			sql,
			id,
			await applyResults(sql, id, byCampaign.get(id) ?? []),
		);
	const ended = await completeSettledCampaigns(sql, campaignIds);
	if (ended.length > 0) await deleteIdleShares(sql, ended);
}

function readOutcome(event: BusEvent): CampaignOutcome | undefined {
	const outcome = fromBinary(MessageOutcomeSchema, event.payload);
	const { to: phone, messageId, status, errorCode } = outcome;
	const campaignId = outcome.campaignId.toLowerCase();
	if (campaignId === "") return undefined;
	const organizationId = outcome.organizationId.toLowerCase();
	const result = { campaignId, organizationId, phone, messageId };
	if (status === "canceled")
		return { ...result, state: "failed", reason: "canceled" };
	if (status !== "delivered" && status !== "failed")
		throw new Error("The outcome's status is unknown.");
	const reason = errorCode === "" ? {} : { reason: errorCode };
	return { ...result, state: status, ...reason };
}
