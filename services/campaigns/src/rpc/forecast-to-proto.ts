import type { CampaignForecastSchema } from "@airtower/proto/campaigns/v1/campaigns";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { standingOf, type Tally } from "../domain/forecast.ts";
import type { NewCampaign } from "../store/campaigns.ts";
import type { Audience } from "./find-audience.ts";

/** @param share units that campaigns may use; undefined when that is all there is */
export function forecastToProto(
	{ senderId, senderName }: NewCampaign,
	{ size, duplicates }: Audience,
	tally: Tally,
	share: number | undefined,
): MessageInitShape<typeof CampaignForecastSchema> {
	const { messages, quota, examples, segments, segmentsWithoutCost } = tally;
	const { status, statusReason, accepted } = standingOf(tally, share);
	return {
		senderId,
		senderName,
		status,
		statusReason,
		stats: {
			audience: BigInt(size),
			skipped: BigInt(size - messages),
			accepted: BigInt(accepted),
			pending: BigInt(messages - accepted),
			duplicates: BigInt(duplicates),
		},
		skipped: toSkipped(tally),
		examples: [...examples],
		segments: BigInt(segments),
		costs: toCosts(tally),
		segmentsWithoutCost: BigInt(segmentsWithoutCost),
		delayedByQuietHours: BigInt(tally.delayedByQuietHours),
		...(quota !== undefined && {
			quotaBefore: BigInt(quota),
			remainingQuota: BigInt(quota - accepted),
		}),
	};
}

function toSkipped({ skipped }: Tally) {
	return [...skipped]
		.map(([reason, count]) => ({ reason, count: BigInt(count) }))
		.toSorted((a, b) => Number(b.count - a.count));
}

function toCosts({ costs }: Tally) {
	return [...costs].map(([currency, { micros, segments }]) => ({
		currency,
		micros,
		segments: BigInt(segments),
	}));
}
