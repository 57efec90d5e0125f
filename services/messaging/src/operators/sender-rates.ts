import { RateLimit } from "./rate-limit.ts";

/** Longest wait in this process for the sender's turn, and shortest time away, ms. */
const WAIT_HERE_MS = 250;
/**
 * Messages of a sender with more than so much to send come back in between, ms: its rate or its route may be another.
 */
const LONGEST_POSTPONEMENT_MS = 120_000;
const SECOND_MS = 1_000;

interface Sender {
	readonly limit: RateLimit;
	/** Until when segments of it that were sent away have their times. */
	bookedUntil: number;
}

interface Arrival {
	readonly sender: string;
	readonly segments: number;
	/** Segments of the sender that wait in this process already. */
	readonly waiting: number;
	/** It was claimed before, and may have been sent away. */
	readonly isBack: boolean;
	/** Whether there is room for a message that cannot be written as a whole at once. */
	readonly mayWait: boolean;
}

/** Keeps each sender of a route within a rate. Times are those of `performance.now()`, in ms. */
export class SenderRates {
	#perSecond: number;
	/** Those that have sent lately, or still have segments to come back. */
	readonly #senders = new Map<string, Sender>();

	/** @param perSecond the part of the rate that this process has for each sender */
	constructor(perSecond: number) {
		this.#perSecond = perSecond;
	}

	get perSecond(): number {
		return this.#perSecond;
	}

	get size(): number {
		return this.#senders.size;
	}

	change(perSecond: number, now: number): void {
		this.#perSecond = perSecond;
		for (const { limit } of this.#senders.values())
			limit.change(perSecond, now);
	}

	/** Until the sender's next segment may be written. */
	waitMs(sender: string, now: number): number {
		return this.#senders.get(sender)?.limit.waitMs(now) ?? 0;
	}

	take(sender: string, now: number): void {
		this.#find(sender, now).limit.take(now);
	}

	/**
	 * How long a message is to go away; 0 where it may wait here. Whoever is sent away gets a time at which it is its
	 * turn, so that it does not come in vain, and has it before what is claimed for the first time then.
	 */
	postponement(arrival: Arrival, now: number): number {
		const { segments, waiting, isBack, mayWait } = arrival;
		if (this.#perSecond === 0) return WAIT_HERE_MS;
		const sender = this.#find(arrival.sender, now);
		const segmentMs = SECOND_MS / this.#perSecond;
		const readyMs = sender.limit.waitMs(now) + waiting * segmentMs;
		const isTurn = isBack || sender.bookedUntil <= now;
		const isAtOnce = readyMs === 0 && segments === 1;
		if (isTurn && (isAtOnce || (mayWait && readyMs <= WAIT_HERE_MS))) return 0;
		const from = Math.max(sender.bookedUntil, now + readyMs);
		if (from - now >= LONGEST_POSTPONEMENT_MS) return LONGEST_POSTPONEMENT_MS;
		sender.bookedUntil = from + segments * segmentMs;
		return Math.max(WAIT_HERE_MS, from - now);
	}

	/** Forgets senders of which nothing counts any more. */
	forgetIdle(now: number): void {
		for (const [name, { limit, bookedUntil }] of this.#senders)
			if (bookedUntil <= now && limit.isFull(now)) this.#senders.delete(name);
	}

	#find(name: string, now: number): Sender {
		const known = this.#senders.get(name);
		if (known !== undefined) return known;
		const limit = new RateLimit(this.#perSecond, now);
		const sender = { limit, bookedUntil: now };
		this.#senders.set(name, sender);
		return sender;
	}
}
