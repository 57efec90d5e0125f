import type { RateShare } from "../domain/bind-share.ts";
import { LANES, type Lane, LaneShares } from "../domain/lanes.ts";
import type { PartUnsent } from "../domain/submit-result.ts";
import { Pace } from "./pace.ts";
import { RateLimit } from "./rate-limit.ts";
import { SenderRates } from "./sender-rates.ts";
import type { SmppLimits } from "./session/smpp-limits.ts";

/** What waits to be written: a part, or a message where the operator makes the parts. */
export interface Queued {
	readonly lane: Lane;
	readonly sender: string;
	/** A time of `performance.now()`; what could not be written until then goes back. */
	readonly deadline: number;
	readonly giveBack: (unsent: PartUnsent) => void;
}

interface QueueSetup<Job extends Queued, Place> {
	readonly limits: Pick<
		SmppLimits,
		"queueTimeoutMs" | "throttleMinMs" | "throttleMaxMs"
	>;
	/** Finds where a job may be written at this moment; undefined while there is no place for it. */
	readonly places: () => (job: Job) => Place | undefined;
	/** Most jobs that may wait for the operator's response. */
	readonly window: () => number;
	/** Places that are free, those left out for which jobs wait that may go nowhere else. */
	readonly freePlaces: (waiting: readonly Job[]) => number;
	/** Why a job is not written although it is its turn. */
	readonly obstacle: (job: Job) => string | undefined;
	readonly write: (job: Job, place: Place, now: number) => void;
	/** How long nothing may be written for a reason of the route's own, ms. */
	readonly downMs?: (now: number) => number;
	/** There may be more capacity. */
	readonly onChange: () => void;
}

export const NO_SLOT = "no free slot";
export const NOT_OURS = "no longer this process's to send";
const SENDER_BUSY = "its sender is at its rate";
/** So much of the agreed rate may queue here of each lane, as a share of a second's segments. */
const RATE_LOOKAHEAD = 1 / 4;
/** So much of the window may be taken by what waits for its sender. */
const SENDERS_SHARE = 1 / 4;

/**
 * What waits to be written to an operator, within the route's rate and the pace that the operator allows. Lanes have
 * their shares of it; in a lane the oldest goes first for which there is a place and whose sender may send.
 */
export class SubmitQueue<Job extends Queued, Place> {
	readonly pace: Pace;
	readonly #setup: QueueSetup<Job, Place>;
	readonly #lanes: readonly [Job[], Job[], Job[]] = [[], [], []];
	readonly #shares = new LaneShares();
	#rate: RateLimit | undefined;
	#senders: SenderRates | undefined;
	#wake: NodeJS.Timeout | undefined;
	readonly #stop = new AbortController();

	constructor(setup: QueueSetup<Job, Place>) {
		this.#setup = setup;
		this.pace = new Pace(setup.limits);
	}

	get length(): number {
		return this.#lanes.reduce((sum, jobs) => sum + jobs.length, 0);
	}

	/** Segments of a lane that may be added now and be written without waiting long. */
	capacity(lane: Lane): number {
		const now = performance.now();
		if ((this.#setup.downMs?.(now) ?? 0) > 0) return 0;
		if (this.#senders?.perSecond === 0) return 0;
		const perSecond = this.#rate?.perSecond ?? Number.POSITIVE_INFINITY;
		const most = Math.min(
			Math.ceil(perSecond * RATE_LOOKAHEAD),
			this.pace.mostAhead(now),
		);
		const ready = this.#jobs().filter((job) => this.#senderMs(job, now) === 0);
		const free = this.#setup.freePlaces(ready);
		const ahead = ready.filter((job) => job.lane === lane).length;
		return Math.max(0, Math.min(free, most - ahead));
	}

	/** Sets the part of the route's rates that this process has. */
	limitTo({ perSecond, perSender }: RateShare): void {
		const now = performance.now();
		const [rate, senders] = [this.#rate, this.#senders];
		if (perSecond === rate?.perSecond && perSender === senders?.perSecond)
			return;
		rate?.change(perSecond ?? 0, now);
		this.#rate =
			perSecond === undefined
				? undefined
				: (rate ?? new RateLimit(perSecond, now));
		senders?.change(perSender ?? 0, now);
		this.#senders =
			perSender === undefined
				? undefined
				: (senders ?? new SenderRates(perSender));
		this.wakeIn(0);
	}

	/** Sends a message away whose sender is over its rate, so that it takes no place from others; undefined: add it. */
	postponed(
		sender: string,
		segments: number,
		isBack: boolean,
	): PartUnsent | undefined {
		if (this.#senders === undefined) return undefined;
		const now = performance.now();
		const jobs = this.#jobs();
		const own = jobs.filter((job) => job.sender === sender);
		const held = jobs.filter((job) => this.#senderMs(job, now) > 0);
		const most = this.#setup.window() * SENDERS_SHARE;
		const mayWait = held.length === 0 || held.length + segments <= most;
		const retryAfterMs = this.#senders.postponement(
			{ sender, segments, waiting: own.length, isBack, mayWait },
			now,
		);
		if (retryAfterMs === 0) return undefined;
		return { kind: "unsent", why: SENDER_BUSY, retryAfterMs };
	}

	add(job: Job): void {
		this.#lanes[job.lane].push(job);
	}

	pump(): void {
		while (this.length > 0) {
			const now = performance.now();
			const waitMs = Math.max(
				this.#setup.downMs?.(now) ?? 0,
				this.pace.waitMs(now),
				this.#rate?.waitMs(now) ?? 0,
			);
			if (waitMs > 0) {
				this.wakeIn(waitMs);
				return;
			}
			if (!this.#writeNext(now)) return;
		}
	}

	/** The operator throttled what was written at that time. */
	throttled(writtenAt: number, now: number, retryAfterMs = 0): void {
		this.pace.throttled(writtenAt, now, retryAfterMs);
		this.wakeIn(this.pace.waitMs(now));
	}

	giveBackExpired(): void {
		const now = performance.now();
		for (const jobs of this.#lanes)
			while ((jobs[0]?.deadline ?? Number.POSITIVE_INFINITY) <= now)
				jobs.shift()?.giveBack({ kind: "unsent", why: NO_SLOT });
		this.#senders?.forgetIdle(now);
	}

	giveBackAll(why: string): void {
		const all = this.#jobs();
		for (const jobs of this.#lanes) jobs.length = 0;
		for (const job of all) job.giveBack({ kind: "unsent", why });
	}

	wakeIn(ms: number): void {
		clearTimeout(this.#wake);
		if (this.#stop.signal.aborted || ms === Number.POSITIVE_INFINITY) return;
		this.#wake = setTimeout(() => this.#wakeUp(), Math.ceil(ms));
	}

	stop(): void {
		this.#stop.abort();
		clearTimeout(this.#wake);
	}

	#jobs(): Job[] {
		return this.#lanes.flat();
	}

	/** False where nothing can be written for now. */
	#writeNext(now: number): boolean {
		const placeOf = this.#setup.places();
		const waiting = LANES.filter((lane) => this.#lanes[lane].length > 0);
		let senderMs = Number.POSITIVE_INFINITY;
		for (const lane of this.#shares.inTurn(waiting)) {
			const jobs = this.#lanes[lane];
			for (const [index, job] of jobs.entries()) {
				const waitMs = this.#senderMs(job, now);
				if (waitMs > 0) {
					senderMs = Math.min(senderMs, waitMs);
					continue;
				}
				const place = placeOf(job);
				if (place === undefined) continue;
				jobs.splice(index, 1);
				this.#write(job, place, now);
				return true;
			}
		}
		this.wakeIn(senderMs);
		return false;
	}

	/** It may have waited while the process stood still. */
	#write(job: Job, place: Place, now: number): void {
		const why = job.deadline <= now ? NO_SLOT : this.#setup.obstacle(job);
		if (why !== undefined) {
			job.giveBack({ kind: "unsent", why });
			return;
		}
		this.#shares.took(job.lane, 1);
		this.#rate?.take(now);
		this.#senders?.take(job.sender, now);
		this.pace.wrote(now);
		this.#setup.write(job, place, now);
	}

	#senderMs({ sender }: Job, now: number): number {
		return this.#senders?.waitMs(sender, now) ?? 0;
	}

	/** Timers may fire a little early: a wait that is not over yet would otherwise never be told to be over. */
	#wakeUp(): void {
		const now = performance.now();
		const downMs = this.#setup.downMs?.(now) ?? 0;
		const leftMs = Math.max(downMs, this.pace.pauseMs(now));
		if (leftMs > 0) {
			this.wakeIn(leftMs);
			return;
		}
		this.pump();
		this.#setup.onChange();
	}
}
