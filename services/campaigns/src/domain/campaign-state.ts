const campaignStates = [
	"scheduled",
	"sending",
	"paused",
	"completed",
	"completed_with_errors",
	"failed",
	"cancelled",
] as const;
export type CampaignState = (typeof campaignStates)[number];

const NEXT_CAMPAIGN_STATES: Readonly<
	Record<CampaignState, readonly CampaignState[]>
> = {
	scheduled: ["sending", "paused", "cancelled"],
	sending: [
		"paused",
		"completed",
		"completed_with_errors",
		"failed",
		"cancelled",
	],
	paused: ["scheduled", "sending", "cancelled"],
	completed: [],
	completed_with_errors: [],
	failed: [],
	cancelled: [],
};

/** True when a campaign of this status need not be changed: it has not ended, or by the same change. */
export function mayStay(status: CampaignState, change: string): boolean {
	if (status === "cancelled") return change === "cancel";
	return NEXT_CAMPAIGN_STATES[status].length > 0;
}

/**
 * A message waits for the end of quiet hours for 2 days at most, may then wait for its operator for 7, and its receipt
 * comes at most 3 days later.
 */
export const OUTCOME_WAIT_MS = 12 * 24 * 3_600_000;

export interface CampaignProgress {
	readonly audience: number;
	readonly skipped: number;
	readonly accepted: number;
	readonly delivered: number;
	readonly failed: number;
	/** Of the skipped, those that were given twice. */
	readonly duplicates: number;
}

/** Recipients not yet accepted, and accepted messages without an outcome. */
export function pendingOf(progress: CampaignProgress): number {
	return (
		progress.audience - progress.skipped - progress.delivered - progress.failed
	);
}
