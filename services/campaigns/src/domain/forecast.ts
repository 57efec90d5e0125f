import type { PreviewResult } from "@airtower/proto/messaging/v1/messaging";
import {
	type SegmentCost,
	segmentCostOf,
} from "@airtower/proto/rules/segment-cost";
import { refusalKind } from "./refusal.ts";

const EXAMPLES = 3;

interface Example {
	readonly phone: string;
	readonly name: string;
	readonly body: string;
	readonly encoding: string;
	readonly segments: number;
}

interface CostSum {
	micros: bigint;
	segments: number;
}

/** What is known of a campaign's recipients as one after another is counted. */
export interface Tally {
	/** Recipients by the reason for which they are skipped. */
	readonly skipped: Map<string, number>;
	/** Messages that are not skipped. */
	messages: number;
	/** Those of them that wait for nothing but quota. */
	payable: number;
	/** Why nobody is sent to now, empty when that is not so. */
	obstacle: string;
	/** Units, as they were seen last; undefined before any message got as far as that. */
	quota: number | undefined;
	segments: number;
	segmentsWithoutCost: number;
	/** Messages that would wait for the end of quiet hours at the time of the campaign. */
	delayedByQuietHours: number;
	/** By currency. */
	readonly costs: Map<string, CostSum>;
	/** The first messages. */
	readonly examples: Example[];
}

export function createTally(): Tally {
	return {
		skipped: new Map(),
		messages: 0,
		payable: 0,
		obstacle: "",
		quota: undefined,
		segments: 0,
		segmentsWithoutCost: 0,
		delayedByQuietHours: 0,
		costs: new Map(),
		examples: [],
	};
}

export function countSkipped(
	{ skipped }: Tally,
	reason: string,
	count: number,
): void {
	if (count > 0) skipped.set(reason, (skipped.get(reason) ?? 0) + count);
}

/** Counts one recipient by what messaging says of its message; returns false where it says nothing that is certain. */
export function countPreview(
	tally: Tally,
	draft: Pick<Example, "phone" | "name" | "body">,
	preview: PreviewResult,
): boolean {
	const { send, routes, quotaBefore } = preview;
	const result = send?.result;
	const reason = result?.case === "refused" ? result.value.reason : "";
	const isAccepted = result?.case === "accepted";
	const kind = isAccepted ? "accepted" : refusalKind(reason);
	if (kind === "again" && !waitsForRoute(preview)) return false;
	if (quotaBefore !== undefined) tally.quota = Number(quotaBefore);
	if (kind === "skip") {
		countSkipped(tally, reason, 1);
		return true;
	}
	if (isAccepted || reason === "quota_exhausted") tally.payable++;
	else if (kind === "pause") tally.obstacle = reason;
	countMessage(tally, draft, preview, segmentCostOf(routes));
	return true;
}

/** The sender is known and all routes are paused; without quota the routes would be known. */
function waitsForRoute({ senderId, routes }: PreviewResult): boolean {
	return senderId !== "" && routes.length === 0;
}

function countMessage(
	tally: Tally,
	{ phone, name, body }: Pick<Example, "phone" | "name" | "body">,
	{ text, sendAt }: PreviewResult,
	cost: SegmentCost | undefined,
): void {
	const segments = text?.partUnits.length ?? 0;
	const encoding = text?.encoding ?? "";
	tally.messages++;
	// Their messages ask for no time.
	if (sendAt !== undefined) tally.delayedByQuietHours++;
	tally.segments += segments;
	if (tally.examples.length < EXAMPLES)
		tally.examples.push({ phone, name, body, encoding, segments });
	if (cost === undefined) {
		tally.segmentsWithoutCost += segments;
		return;
	}
	const sum = tally.costs.get(cost.currency) ?? { micros: 0n, segments: 0 };
	sum.micros += cost.micros * BigInt(segments);
	sum.segments += segments;
	tally.costs.set(cost.currency, sum);
}

interface Standing {
	readonly status: "sending" | "paused" | "failed";
	/** Empty while it is sending. */
	readonly statusReason: string;
	readonly accepted: number;
}

/**
 * Where a campaign stands that has sent to all whom it may send to.
 * @param share units that campaigns may use; undefined when that is all there is
 */
export function standingOf(tally: Tally, share: number | undefined): Standing {
	const { messages, payable, obstacle, quota = 0 } = tally;
	if (messages === 0)
		return { status: "failed", statusReason: "no_audience", accepted: 0 };
	if (obstacle !== "") {
		// Without a unit it does not even ask.
		const statusReason = share === 0 ? "quota_share_used" : obstacle;
		return { status: "paused", statusReason, accepted: 0 };
	}
	const accepted = Math.min(payable, quota, share ?? quota);
	if (accepted === payable)
		return { status: "sending", statusReason: "", accepted };
	const isShareUsed = share !== undefined && share <= quota;
	const statusReason = isShareUsed ? "quota_share_used" : "quota_exhausted";
	return { status: "paused", statusReason, accepted };
}
