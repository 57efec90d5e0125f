import {
	type Candidate,
	type Share,
	shareSlots,
} from "../domain/fair-share.ts";
import type { Target } from "../store/delivery-queue.ts";

interface QueueOptions {
	readonly maxInFlight: number;
	readonly maxPerEndpoint: number;
	readonly wakeSender: () => void;
}

interface EndpointQueue extends Target {
	window: number;
	inFlight: number;
	isReady: boolean;
	/** On the caller's clock, ms. */
	pausedUntil: number;
	/** Since an attempt failed, no slots were dealt: its receiver may have asked for the pause. */
	hasJustFailed: boolean;
}

/** Share of all slots that endpoints with recent failures may have together, ... */
const SUSPECT_SHARE = 0.5;
/** ... and the part of it dealt before the others: else they would wait for as long as others flood. */
const RESERVED_SHARE = 0.125;
export const MAX_REMEMBERED = 10_000;

/** What this process has in flight: the memory behind fair claims. */
export class EndpointQueues {
	readonly #options: QueueOptions;
	/** Those that were dealt slots last come last. */
	readonly #queues = new Map<string, EndpointQueue>();
	#inFlight = 0;

	constructor(options: QueueOptions) {
		this.#options = options;
	}

	/** Slots reserved for a claim included. */
	get inFlight(): number {
		return this.#inFlight;
	}

	announce(targets: readonly Target[]): void {
		for (const target of targets) this.#queueTo(target).isReady = true;
		if (targets.length > 0) this.#options.wakeSender();
	}

	/** Reserves what it deals until `confirm`. */
	reserve(maxSlots: number, nowMs: number): Share[] {
		const free = Math.min(maxSlots, this.#options.maxInFlight - this.#inFlight);
		const suspects = this.#candidates(true, nowMs);
		const occupied = this.#occupiedBySuspects();
		const early = Math.min(free, this.#slotsOf(RESERVED_SHARE) - occupied);
		const reserved = sumOf(shareSlots(suspects, early));
		const sound = shareSlots(this.#candidates(false, nowMs), free - reserved);
		const late = Math.min(
			free - sumOf(sound),
			this.#slotsOf(SUSPECT_SHARE) - occupied,
		);
		const shares = [...sound, ...shareSlots(suspects, late)];
		for (const share of shares) this.#take(share);
		return shares;
	}

	/** Frees what a claim has not filled. */
	confirm(shares: readonly Share[], filled: ReadonlyMap<string, number>): void {
		for (const { endpointId, slots } of shares) {
			const queue = this.#queues.get(endpointId);
			if (queue === undefined) continue;
			const unused = slots - (filled.get(endpointId) ?? 0);
			queue.isReady ||= unused === 0;
			this.#release(queue, unused);
		}
	}

	end(endpointId: string, isSuccess: boolean, pausedUntilMs = 0): void {
		const queue = this.#queues.get(endpointId);
		if (queue === undefined) return;
		const { maxPerEndpoint } = this.#options;
		queue.window = nextWindow(queue.window, isSuccess, maxPerEndpoint);
		queue.hasJustFailed ||= !isSuccess;
		this.#end(queue, pausedUntilMs);
	}

	/** An attempt failed for a reason that is not the endpoint's: its window stays as it is. */
	postpone(endpointId: string, pausedUntilMs: number): void {
		const queue = this.#queues.get(endpointId);
		if (queue !== undefined) this.#end(queue, pausedUntilMs);
	}

	#end(queue: EndpointQueue, pausedUntilMs: number): void {
		queue.pausedUntil = Math.max(queue.pausedUntil, pausedUntilMs);
		this.#release(queue, 1);
		if (queue.isReady && queue.inFlight * 2 <= queue.window)
			this.#options.wakeSender();
	}

	#queueTo(target: Target): EndpointQueue {
		const known = this.#queues.get(target.endpointId);
		if (known !== undefined) return known;
		const window = Math.min(START_WINDOW, this.#options.maxPerEndpoint);
		const idle = { inFlight: 0, isReady: false, pausedUntil: 0 };
		const queue = { ...target, window, ...idle, hasJustFailed: false };
		this.#queues.set(target.endpointId, queue);
		return queue;
	}

	#candidates(suspect: boolean, nowMs: number): Candidate[] {
		return [...this.#queues.values()]
			.filter(
				(queue) =>
					queue.isReady &&
					queue.pausedUntil <= nowMs &&
					this.#isSuspect(queue) === suspect,
			)
			.map((queue) => ({ ...queue, freeSlots: queue.window - queue.inFlight }));
	}

	/** A single slot cannot be divided: all endpoints take turns at it. */
	#isSuspect({ window }: EndpointQueue): boolean {
		const { maxInFlight, maxPerEndpoint } = this.#options;
		return maxInFlight > 1 && isSuspect(window, maxPerEndpoint);
	}

	#occupiedBySuspects(): number {
		let occupied = 0;
		for (const queue of this.#queues.values())
			if (this.#isSuspect(queue)) occupied += queue.inFlight;
		return occupied;
	}

	#slotsOf(share: number): number {
		return Math.max(1, Math.floor(this.#options.maxInFlight * share));
	}

	/** An announcement that comes during the claim makes the queue ready again. */
	#take({ endpointId, slots }: Share): void {
		const queue = this.#queues.get(endpointId);
		if (queue === undefined) return;
		queue.isReady = false;
		queue.hasJustFailed = false;
		queue.inFlight += slots;
		this.#inFlight += slots;
		this.#queues.delete(endpointId);
		this.#queues.set(endpointId, queue);
	}

	#release(queue: EndpointQueue, slots: number): void {
		queue.inFlight -= slots;
		this.#inFlight -= slots;
		if (isBusy(queue)) return;
		if (!this.#isSuspect(queue) && !queue.hasJustFailed)
			this.#queues.delete(queue.endpointId);
		else if (this.#queues.size > MAX_REMEMBERED) this.#forgetOne();
	}

	/** The one that was dealt slots longest ago: it may be deleted by now, and the others hang. */
	#forgetOne(): void {
		const idle = this.#queues.values().find((queue) => !isBusy(queue));
		if (idle !== undefined) this.#queues.delete(idle.endpointId);
	}
}

function isBusy({ inFlight, isReady }: EndpointQueue): boolean {
	return inFlight > 0 || isReady;
}

function sumOf(shares: readonly Share[]): number {
	return shares.reduce((sum, { slots }) => sum + slots, 0);
}

export const START_WINDOW = 8;
const MIN_WINDOW = 2;

/** A hanging endpoint ends up with two sockets, however long its queue is. */
export function nextWindow(window: number, ok: boolean, max: number): number {
	if (ok) return Math.min(window + 1, max);
	return Math.max(Math.floor(window / 2), Math.min(MIN_WINDOW, max));
}

export function isSuspect(window: number, max: number): boolean {
	return window < Math.min(START_WINDOW, max);
}
