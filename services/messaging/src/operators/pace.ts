import { retryDelay } from "@airtower/platform/runtime/retry-delay";
import type { OperatorStatus } from "./operator.ts";
import type { SmppLimits } from "./session/smpp-limits.ts";

type ThrottleLimits = Pick<SmppLimits, "throttleMinMs" | "throttleMaxMs">;

const SECOND_MS = 1_000;
/** What is left of the pace once the operator throttled. */
const DECREASE = 0.95;
/** Growth in a second, as a share of what was left: after about ten the pace is where the operator throttled. */
const INCREASE = 0.005;
/** Without throttling for so long the operator takes more than it did, ms: the pace grows faster from then on. */
const QUIET_MS = 15_000;
const FAST_INCREASE = 1.2;
/** Without throttling for so long there is no pace any more, ms. */
const FORGET_MS = 60_000;
/** Least pace that the first throttled response sets, segments a second: one response says little. */
const FIRST_LEAST = 50;
const LEAST = 0.5;
/** A burst within less time does not tell what the operator takes in a second, ms. */
const LEAST_SPAN_MS = 250;
/** What a late timer left unwritten may be written at once, ms of the pace. */
const CATCH_UP_MS = 20;
/** So much of the pace may queue, ms. */
const AHEAD_MS = 250;
/** While the operator takes nothing, one segment goes alone; the next one with its response, or so much later, ms. */
const PROBE_MS = 1_000;

/**
 * How fast an operator lets this process go on a route. There is no limit before it throttles. Then the pace decreases
 * by a share of itself and grows by steps, so that it stays close below what the operator takes (additive increase,
 * multiplicative decrease). Each decrease begins with a pause, in which the operator recovers; while it takes nothing
 * at all, the pauses become longer. Times are those of `performance.now()`, in ms.
 */
export class Pace {
	readonly #limits: ThrottleLimits;
	/** What the last decrease left, segments a second. */
	#start: number | undefined;
	/**
	 * How long it grows slowly, ms: not at all after the first decrease, for the operator may take far more than it did.
	 */
	#slowlyForMs = 0;
	#throttledAt = Number.NEGATIVE_INFINITY;
	#throttledSince = Number.NEGATIVE_INFINITY;
	#pausedUntil = Number.NEGATIVE_INFINITY;
	/** Pauses since the operator took something. */
	#pauses = 0;
	#nextAt = Number.NEGATIVE_INFINITY;
	/** When the operator took segments, within the last second; the oldest first. */
	readonly #taken: number[] = [];

	constructor(limits: ThrottleLimits) {
		this.#limits = limits;
	}

	/** Segments a second; undefined while the operator takes what it gets. */
	perSecond(now: number): number | undefined {
		const quietMs = now - this.#throttledAt;
		if (this.#start === undefined || quietMs >= FORGET_MS) return undefined;
		const slowMs = Math.min(quietMs, this.#slowlyForMs);
		const steps = 1 + (INCREASE * slowMs) / SECOND_MS;
		const fast = FAST_INCREASE ** ((quietMs - slowMs) / SECOND_MS);
		return this.#start * steps * fast;
	}

	/** What is left of a pause. */
	pauseMs(now: number): number {
		return Math.max(0, this.#pausedUntil - now);
	}

	/** Until the next segment may be written. */
	waitMs(now: number): number {
		return Math.max(0, this.#pausedUntil - now, this.#nextAt - now);
	}

	/** Segments that may wait to be written at a time. */
	mostAhead(now: number): number {
		if (this.pauseMs(now) > 0) return 0;
		const perSecond = this.perSecond(now) ?? Number.POSITIVE_INFINITY;
		return this.#isProbing ? 1 : Math.ceil((perSecond * AHEAD_MS) / SECOND_MS);
	}

	/** Since when the operator has throttled; undefined once it has not for {@link QUIET_MS}. */
	throttledSince(now: number): number | undefined {
		return now - this.#throttledAt < QUIET_MS
			? this.#throttledSince
			: undefined;
	}

	/** A segment was written. */
	wrote(now: number): void {
		const perSecond = this.perSecond(now) ?? Number.POSITIVE_INFINITY;
		const due = Math.max(this.#nextAt, now - CATCH_UP_MS);
		this.#nextAt = this.#isProbing
			? now + PROBE_MS
			: due + SECOND_MS / perSecond;
	}

	/** The operator took a segment that was written at that time. */
	took(writtenAt: number, now: number): void {
		this.#forgetTaken(now);
		this.#taken.push(now);
		if (writtenAt < this.#throttledAt) return;
		if (this.#isProbing) this.#nextAt = now;
		this.#pauses = 0;
	}

	/**
	 * The operator throttled a segment that was written at that time. One that was written before the last decrease has
	 * the same cause, and does no more than prolong the pause to what the operator asked for.
	 */
	throttled(writtenAt: number, now: number, retryAfterMs = 0): void {
		if (writtenAt >= this.#throttledAt && this.pauseMs(now) === 0)
			this.#slowDown(now);
		this.#pausedUntil = Math.max(this.#pausedUntil, now + retryAfterMs);
	}

	status(
		now: number,
	): Pick<OperatorStatus, "pausedUntil" | "pace" | "throttledSince"> {
		const toDate = (time: number) => new Date(Date.now() + time - now);
		const pace = this.perSecond(now);
		const since = this.throttledSince(now);
		return {
			...(this.pauseMs(now) > 0 && { pausedUntil: toDate(this.#pausedUntil) }),
			...(pace !== undefined && { pace }),
			...(since !== undefined && { throttledSince: toDate(since) }),
		};
	}

	get #isProbing(): boolean {
		return this.#pauses > 1;
	}

	#slowDown(now: number): void {
		const before = this.perSecond(now);
		this.#start = this.#pauses === 0 ? this.#decreased(before, now) : before;
		this.#slowlyForMs = before === undefined ? 0 : QUIET_MS;
		if (this.throttledSince(now) === undefined) this.#throttledSince = now;
		this.#throttledAt = now;
		this.#pauses++;
		const { throttleMinMs: firstMs, throttleMaxMs: longestMs } = this.#limits;
		this.#pausedUntil = now + retryDelay(this.#pauses, { firstMs, longestMs });
		this.#nextAt = this.#pausedUntil;
	}

	/** A pace that was not used up says nothing: what was taken counts, twice as much where a pause was in that second. */
	#decreased(before: number | undefined, now: number): number | undefined {
		const taken = this.#takenPerSecond(now);
		if (before === undefined)
			return taken && Math.max(FIRST_LEAST, taken * DECREASE);
		const used = Math.min(before, taken === undefined ? before : taken * 2);
		return Math.max(LEAST, used * DECREASE);
	}

	/** Undefined where the last second had nothing that was taken. */
	#takenPerSecond(now: number): number | undefined {
		this.#forgetTaken(now);
		const [first] = this.#taken;
		if (first === undefined) return undefined;
		const spanMs = Math.max(LEAST_SPAN_MS, now - first);
		return (this.#taken.length * SECOND_MS) / spanMs;
	}

	#forgetTaken(now: number): void {
		while ((this.#taken[0] ?? now) <= now - SECOND_MS) this.#taken.shift();
	}
}
