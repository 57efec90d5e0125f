import { followSpareCpu } from "./spare-cpu.ts";

/**
 * How work that follows a client's request, and that nobody waits for, leaves the machine to the
 * requests: after a round it rests in proportion to what the round took. While the machine has time to
 * spare the rests are short; when it has none they grow, and the work is done in fewer, larger batches.
 */
export interface Pace {
	/** A round with this much work is followed at once: a backlog of whole batches is not paced. */
	readonly fullAt: number;
	/** Most of the time that rounds may take, in (0, 1]; follows the spare time of the CPUs by default. */
	readonly share?: () => number;
	/** Longest rest, ms; 200 by default: a round that waited for something slow does not hold up the next. */
	readonly longestRestMs?: number;
}

/** What a share keeps to. */
export interface ShareBounds {
	/**
	 * Idle part of the CPUs' time that it leaves: with less it falls, with more it rises. There is no range
	 * in which it rests: after a burst it would stay low for as long as a steady load kept the machine there.
	 */
	readonly leaves: number;
	readonly lowest: number;
}

const LONGEST_REST_MS = 200;
/** However busy the machine, so many items per second may go through: a small round costs little, and its items are waited for. */
const SLOWEST_PER_S = 250;
/** Share of the time when the machine has plenty to spare. */
const HIGHEST_SHARE = 0.5;
const FALL = 0.8;
const RISE = 1.15;
/** What has begun goes on while the machine is nearly full. */
const FOLLOW_UP: ShareBounds = { leaves: 0.08, lowest: 0.1 };
/** What has not begun waits while requests come in a burst. */
const ENTRY: ShareBounds = { leaves: 0.1, lowest: 0.03 };
/** Work that has waited for so long gets the highest share, however busy the machine, ms. */
const PATIENCE_MS = 15_000;

/**
 * The rest that a round earns, ms.
 * @param done items that the round dealt with
 */
export function restMs(pace: Pace, tookMs: number, done: number): number {
	if (done >= pace.fullAt) return 0;
	const share = (pace.share ?? followUpShare)();
	const longest = pace.longestRestMs ?? LONGEST_REST_MS;
	return Math.min(
		tookMs * (1 / share - 1),
		(done / SLOWEST_PER_S) * 1_000,
		longest,
	);
}

/** The next share after one under which so much of the CPUs' time was idle, in [0, 1]. */
export function nextShare(
	share: number,
	idle: number,
	{ leaves, lowest }: ShareBounds = FOLLOW_UP,
): number {
	return idle < leaves
		? Math.max(lowest, share * FALL)
		: Math.min(HIGHEST_SHARE, share * RISE);
}

/**
 * The share of work at the door of a pipeline: it gives way to a burst of requests early and far, and
 * the less the longer its oldest item has waited, so that a lasting load is shared by both.
 * @param waitedMs tells for how long the oldest item has waited, ms
 */
export function entryShare(waitedMs: () => number): () => number {
	const share = shareOfSpareCpu(ENTRY);
	return () => urgentShare(share(), waitedMs());
}

/**
 * The share that a wait makes of a patient one. Each second counts the same: were the first ones to count
 * for little, a load that the machine can just bear would leave a queue of many seconds at the door.
 */
export function urgentShare(patient: number, waitedMs: number): number {
	const urgency = Math.min(waitedMs / PATIENCE_MS, 1);
	return patient + (HIGHEST_SHARE - patient) * urgency;
}

const followUpShare = shareOfSpareCpu(FOLLOW_UP);

function shareOfSpareCpu(bounds: ShareBounds): () => number {
	return followSpareCpu(HIGHEST_SHARE, (share, idle) =>
		nextShare(share, idle, bounds),
	);
}
