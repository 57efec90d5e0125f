import type { Tx } from "@airtower/platform/database/database";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { fromBinary } from "@bufbuild/protobuf";
import { addProgress, completeSettledCampaigns } from "../store/campaigns.ts";
import { applyOutcomes, type OutcomeRow } from "../store/recipients.ts";

/** False for the outcome of a message that no campaign sent. */
export function isOfCampaign(event: BusEvent): boolean {
	return readOutcome(event) !== undefined;
}

/** Applies final outcomes to campaigns, and ends those that have all of theirs. Throws on a status that is no outcome. */
export async function applyMessageOutcomes(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const outcomes = events.map(readOutcome).filter((row) => row !== undefined);
	if (outcomes.length === 0) return;
	const byCampaign = Map.groupBy(outcomes, (outcome) => outcome.campaignId);
	const campaignIds = [...byCampaign.keys()].sort();
	for (const campaignId of campaignIds) {
		const ofCampaign = byCampaign.get(campaignId) ?? [];
		const counts = await applyOutcomes(sql, campaignId, ofCampaign);
		await addProgress(sql, campaignId, { ...counts });
	}
	await completeSettledCampaigns(sql, campaignIds);
}

/** An outcome, and the campaign whose recipient it is of. */
type CampaignOutcome = OutcomeRow & { readonly campaignId: string };

function readOutcome(event: BusEvent): CampaignOutcome | undefined {
	const outcome = fromBinary(MessageOutcomeSchema, event.payload);
	const { campaignId, to: phone, messageId, status, errorCode } = outcome;
	if (campaignId === "") return undefined;
	if (status !== "delivered" && status !== "failed")
		throw new Error("The outcome's status is unknown.");
	return { campaignId, phone, messageId, status, reason: errorCode };
}
