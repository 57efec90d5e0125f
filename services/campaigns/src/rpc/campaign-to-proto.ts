import type { CampaignSchema } from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";
import { type CampaignProgress, pendingOf } from "../domain/campaign-state.ts";
import type { Campaign } from "../store/campaigns.ts";

export function campaignToProto(
	campaign: Campaign,
): MessageInitShape<typeof CampaignSchema> {
	return {
		id: campaign.id,
		name: campaign.name,
		status: campaign.status,
		statusReason: campaign.statusReason ?? "",
		messageTemplate: campaign.messageTemplate,
		senderId: campaign.senderId,
		senderName: campaign.senderName,
		audienceTags: campaign.audienceTags,
		audienceTagMatchMode: campaign.audienceTagMatchMode,
		...times(campaign),
		stats: stats(campaign),
	};
}

function stats(progress: CampaignProgress) {
	return {
		audience: BigInt(progress.audience),
		skipped: BigInt(progress.skipped),
		accepted: BigInt(progress.accepted),
		delivered: BigInt(progress.delivered),
		failed: BigInt(progress.failed),
		pending: BigInt(pendingOf(progress)),
		duplicates: BigInt(progress.duplicates),
	};
}

function times(campaign: Campaign) {
	const { scheduledAt, startedAt, completedAt, createdAt } = campaign;
	return {
		createdAt: timestampFromDate(createdAt),
		...(scheduledAt && { scheduledAt: timestampFromDate(scheduledAt) }),
		...(startedAt && { startedAt: timestampFromDate(startedAt) }),
		...(completedAt && { completedAt: timestampFromDate(completedAt) }),
	};
}
