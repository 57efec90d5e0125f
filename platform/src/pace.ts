import { spareCpu } from "./spare-cpu.ts";

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
}

/** Longest rest, ms: a round that waited for something slow does not hold up the next. */
const LONGEST_REST_MS = 200;
/** Share of the time when the machine has none to spare, and when it has plenty. */
const LOWEST_SHARE = 0.1;
const HIGHEST_SHARE = 0.5;
/** Part of the CPUs' time that is left idle: with less the share falls, with more it rises. */
const SCARCE = 0.06;
const AMPLE = 0.1;
const FALL = 0.8;
const RISE = 1.15;

/** The rest that a round earns, ms. */
export function restMs(pace: Pace, tookMs: number, done: number): number {
	if (done >= pace.fullAt) return 0;
	const share = pace.share ?? followUpShare;
	return Math.min(tookMs * (1 / share() - 1), LONGEST_REST_MS);
}

/** The next share after one under which so much of the CPUs' time was idle, in [0, 1]. */
export function nextShare(share: number, idle: number): number {
	if (idle < SCARCE) return Math.max(LOWEST_SHARE, share * FALL);
	if (idle > AMPLE) return Math.min(HIGHEST_SHARE, share * RISE);
	return share;
}

const followUpShare = shareOfSpareCpu();

function shareOfSpareCpu(): () => number {
	let share = HIGHEST_SHARE;
	const readIdle = spareCpu((idle) => {
		share = nextShare(share, idle);
	});
	return () => {
		readIdle();
		return share;
	};
}
