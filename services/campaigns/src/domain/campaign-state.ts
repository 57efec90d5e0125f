export const campaignStates = [
	"scheduled",
	"sending",
	"paused",
	"completed",
	"completed_with_errors",
	"failed",
] as const;
export type CampaignState = (typeof campaignStates)[number];

export const nextCampaignStates: Readonly<
	Record<CampaignState, readonly CampaignState[]>
> = {
	scheduled: ["sending"],
	sending: ["paused", "completed", "completed_with_errors", "failed"],
	paused: ["sending"],
	completed: [],
	completed_with_errors: [],
	failed: [],
};

/** A message may wait for its operator for 7 days, and its receipt comes at most 3 days later. */
export const OUTCOME_WAIT_MS = 10 * 24 * 3_600_000;

export interface CampaignProgress {
	readonly audience: number;
	readonly skipped: number;
	readonly accepted: number;
	readonly delivered: number;
	readonly failed: number;
}

/** Recipients not yet accepted, and accepted messages without an outcome. */
export function pendingOf(progress: CampaignProgress): number {
	return (
		progress.audience - progress.skipped - progress.delivered - progress.failed
	);
}
