import type { Operator } from "../operators/operator.ts";
import type { ClaimedRow } from "../store/claims.ts";
import type { OutgoingRow } from "../store/messages.ts";

/** A claimed message with all that its submit needs. */
export interface ReadyMessage extends ClaimedRow {
	readonly token: string;
	/** End of its validity, a time of `performance.now()`: clocks of the day differ from machine to machine. */
	readonly validUntil: number;
	readonly outgoing: OutgoingRow;
	/** Parts that the operator took in earlier attempts. */
	readonly takenParts: readonly number[];
	/** Parts of the whole message, when an earlier attempt has told. */
	readonly partCount: number | undefined;
}

/** The part of one process's work that goes to one operator. */
export interface Dispatcher {
	readonly operator: Operator;
	/** Messages to claim now: 0 while the operator takes none, or enough wait already. */
	room(): number;
	push(messages: readonly ReadyMessage[]): void;
	/**
	 * Takes the messages whose segments fill the operator's free capacity. A submit keeps its place in the
	 * window until it is settled: what a crash leaves unknown, and may send twice, is one window at most.
	 */
	take(): ReadyMessage[];
	/** Forgets all that wait. */
	clear(): void;
	/** True while the operator has taken nothing for so long that others should have what waits here. */
	isStuck(now: number): boolean;
	/** Remembers a message that is being submitted until it is settled. */
	track(message: ReadyMessage, flight: Promise<void>): void;
	/** Calls the listener, at most once per turn of the event loop, after submits were settled. */
	onSettled(listener: () => void): void;
	/** Resolves when every submit so far is settled. */
	landed(): Promise<void>;
	/** For how long the oldest message of the last claim had waited, ms. */
	waitedMs: number;
	/** Where the next claim begins among the organizations. */
	claimAfter: string;
	/** True after a claim that failed: rows may be claimed that nobody here knows of. */
	claimsInDoubt: boolean;
	/** What is being marked as submitting; still there after a mark that failed: nobody knows how far it came. */
	beginning: readonly ReadyMessage[];
}

/** Before every organization's id. */
export const FIRST_ORGANIZATION = "00000000-0000-0000-0000-000000000000";
export const LAST_ORGANIZATION = "ffffffff-ffff-ffff-ffff-ffffffffffff";
/** Most messages that wait claimed in memory. */
const MAX_READY = 500;
/** What waits is enough for so many times the largest capacity seen: a claim takes as long as some answers. */
const READY_FACTOR = 2;
/** Or for so long at the present rate, s: a fast operator is fed by few, large claims. */
const READY_S = 0.5;
/** Time without a working operator after which claimed messages are given back, ms. */
const STUCK_AFTER_MS = 5_000;

/** @param onLost told of an attempt that could not be settled; it becomes unknown with the lease */
export function createDispatcher(
	operator: Operator,
	onLost: (error: unknown) => void,
): Dispatcher {
	let ready: ReadyMessage[] = [];
	let peakCapacity = 1;
	let workedAt = 0;
	const rate = createRate();
	const flights = new Set<Promise<void>>();
	/** Segments that were submitted and are not settled. */
	let unsettled = 0;
	let settledListener = () => {};
	let announcing = false;

	function announceSettled(): void {
		if (announcing) return;
		announcing = true;
		setImmediate(() => {
			announcing = false;
			settledListener();
		});
	}

	function isWorking(): boolean {
		const { bound, pausedUntil } = operator.status();
		return bound && pausedUntil === undefined;
	}

	return {
		operator,
		waitedMs: 0,
		claimAfter: FIRST_ORGANIZATION,
		claimsInDoubt: false,
		beginning: [],
		room() {
			peakCapacity = Math.max(peakCapacity, operator.capacity());
			if (!isWorking()) return 0;
			const enough = Math.max(
				peakCapacity * READY_FACTOR,
				rate.perSecond() * READY_S,
			);
			const wanted = Math.min(Math.ceil(enough), MAX_READY);
			const room = wanted - ready.length;
			return room * 2 >= wanted ? room : 0;
		},
		push(messages) {
			ready = ready.concat(messages);
		},
		take() {
			let free = Math.min(operator.capacity(), operator.window - unsettled);
			let count = 0;
			while (free > 0 && count < ready.length)
				free -= ready[count++]?.outgoing.segments ?? 1;
			const taken = ready.slice(0, count);
			ready = ready.slice(count);
			rate.add(count);
			return taken;
		},
		clear() {
			ready = [];
		},
		isStuck(now) {
			if (isWorking() || ready.length === 0) workedAt = now;
			return now - workedAt > STUCK_AFTER_MS;
		},
		track({ outgoing }, flight) {
			unsettled += outgoing.segments;
			const landing = flight.catch(onLost).finally(() => {
				unsettled -= outgoing.segments;
				flights.delete(landing);
				announceSettled();
			});
			flights.add(landing);
		},
		onSettled(listener) {
			settledListener = listener;
		},
		async landed() {
			await Promise.all(flights);
		},
	};
}

/** How many per second, over about the last second. */
function createRate() {
	let sum = 0;
	let at = performance.now();
	function decay(): void {
		const now = performance.now();
		sum *= Math.exp((at - now) / 1_000);
		at = now;
	}
	return {
		add(count: number) {
			decay();
			sum += count;
		},
		perSecond() {
			decay();
			return sum;
		},
	};
}
