import { setTimeout as delay } from "node:timers/promises";
import type postgres from "postgres";
import type { Db } from "../database/database.ts";
import type { Logger } from "../runtime/log.ts";
import { createWaker, type Waker } from "../runtime/waiting.ts";
import { inSpan, type Span } from "../tracing/spans.ts";
import type { Lease } from "./lease.ts";
import type { Fence, LeasedQueue } from "./leased-queue.ts";
import type { Settler } from "./micro-batcher.ts";
import { releaseUntracked } from "./put-back.ts";

interface WorkerOptions<K extends string, Row extends Fence<K>, A> {
	readonly sql: Db;
	readonly log: Logger;
	readonly lease: Lease;
	readonly queue: LeasedQueue<K>;
	/** Condition on the rows that are this worker's; no two workers of a process share any. Default: all of the queue. */
	readonly within?: postgres.Fragment;
	/** Further changes of a row that goes back without an attempt, with a leading comma. */
	readonly putBack?: postgres.Fragment;
	/** Most weight that may be claimed at a time: claims wait until half of it is free. */
	readonly window: () => number;
	/** Weight that may be claimed now. */
	readonly capacity: (unsettled: Unsettled) => number;
	/**
	 * What of it the work may take that is known to wait: rounds wait for that, unless work was announced. Default: all.
	 */
	readonly knownCapacity?: (unsettled: Unsettled) => number;
	/** How much of the capacity a row takes; default 1. */
	readonly weightOf?: (row: Row) => number;
	/** In which of several lanes a row is; default 0. */
	readonly laneOf?: (row: Row) => number;
	/** Claims due rows under the token, of at most so much weight. Where it fails, what it may have claimed goes back. */
	readonly claim: (
		limit: number,
		token: string,
		unsettled: Unsettled,
	) => Promise<readonly Row[]>;
	/** The span of a row's whole attempt, until it is recorded. */
	readonly startSpan?: (row: Row) => Span | undefined;
	/**
	 * Makes one attempt and returns what came of it; undefined when nothing was sent. `mayWrite` tells whether the row is
	 * still ours, and must be asked right before the first byte.
	 */
	readonly attempt: (
		row: Row,
		mayWrite: () => boolean,
	) => Promise<A | undefined>;
	/** What to record of a row for which nothing was sent. Where it is undefined, the row is put back later. */
	readonly unsent?: (row: Row) => A | undefined;
	/** Records attempts. It rejects only what could not be recorded at all. */
	readonly settler: Settler<A>;
	/** A better result that comes after the attempt was recorded; undefined when none does. */
	readonly late?: (attempt: A) => Promise<A | undefined>;
}

/** Weight of the attempts that are not recorded yet. */
export interface Unsettled {
	readonly total: number;
	inLane(lane: number): number;
}

export interface Worker<Row> {
	/** Claims what there is capacity for, and begins its attempts without waiting for them; returns how many. */
	round(): Promise<number>;
	/** The same, once there is capacity; 0 when the signal ended the wait. For a loop, with one signal. */
	nextRound(signal: AbortSignal): Promise<number>;
	/** To be called when `capacity` may have grown for a reason of the service's own. */
	capacityChanged(): void;
	/** To be called when work was announced: it may take what the work that is known to wait may not. */
	workAnnounced(): void;
	/** Puts back what may carry our token without an attempt. Rounds begin with it; at a stop it is called once more. */
	release(): Promise<void>;
	/** Rows whose attempts are not recorded, those included that never can be. */
	owned(): Row[];
	/** Attempts that are not over. */
	underWay(): number;
	/** Resolves once no attempt is under way, or after `mostMs`. */
	idle(mostMs?: number): Promise<void>;
}

/** Claims that do not fill half the window are so far apart, ms. */
export const LINGER_MS = 20;
const LOOK_EVERY_MS = 1_000;

/** Owns the rows of a leased queue that one process has claimed, from the claim until they are settled (README.md). */
export function createWorker<K extends string, Row extends Fence<K>, A>(
	options: WorkerOptions<K, Row, A>,
): Worker<Row> {
	const { sql, log, lease, queue, window, weightOf = () => 1 } = options;
	const owned = new Set<Row>();
	const attempts = new Set<Promise<void>>();
	const lanes = new Map<number, number>();
	const unsettled = {
		total: 0,
		inLane: (lane: number) => lanes.get(lane) ?? 0,
	};
	/** Work may wait that is not known. */
	let isAnnounced = true;
	/** Rows may carry our token for which no attempt is made, nor will be. */
	let mayOwnUntracked = false;
	let waker: Waker | undefined;

	const capacity = () => Math.max(0, options.capacity(unsettled));
	const knownCapacity = () =>
		Math.max(0, (options.knownCapacity ?? options.capacity)(unsettled));

	function load(row: Row, weight: number): void {
		const lane = options.laneOf?.(row) ?? 0;
		unsettled.total += weight;
		lanes.set(lane, unsettled.inLane(lane) + weight);
	}

	async function release(): Promise<void> {
		if (!mayOwnUntracked) return;
		mayOwnUntracked = false;
		try {
			await releaseUntracked(sql, queue, {
				token: lease.token(),
				known: [...owned],
				within: options.within ?? sql`true`,
				set: options.putBack ?? sql``,
			});
		} catch (error) {
			mayOwnUntracked = true;
			throw error;
		}
	}

	async function round(): Promise<number> {
		await release();
		const limit = capacity();
		if (limit === 0) return 0;
		isAnnounced = false;
		try {
			const claimed = await options.claim(limit, lease.token(), unsettled);
			for (const row of claimed) track(row);
			return claimed.length;
		} catch (error) {
			mayOwnUntracked = true;
			isAnnounced = true;
			throw error;
		}
	}

	function idsOf(row: Row) {
		const names = Object.keys(queue.key) as K[];
		return Object.fromEntries(names.map((name) => [name, row[name]]));
	}

	/** A row whose attempt could not be recorded is never forgotten: it was sent, and must not be put back. */
	function track(row: Row): void {
		const weight = weightOf(row);
		load(row, weight);
		owned.add(row);
		const attempt = inSpan(options.startSpan?.(row), () => work(row))
			.then(
				() => void owned.delete(row),
				(error: unknown) =>
					log.error(
						{ err: error, ...idsOf(row) },
						"an attempt could not be recorded; it is taken over when its lease ends",
					),
			)
			.finally(() => {
				load(row, -weight);
				attempts.delete(attempt);
				waker?.wake();
			});
		attempts.add(attempt);
	}

	/** The process may have stood still since the claim: a row whose lease is over belongs to others. */
	async function work(row: Row): Promise<void> {
		const mayWrite = () => lease.covers(row.token);
		const made = mayWrite() ? await options.attempt(row, mayWrite) : undefined;
		const attempt = made ?? options.unsent?.(row);
		if (attempt === undefined) {
			mayOwnUntracked = true;
			return;
		}
		await options.settler.add(attempt);
		void settleLate(row, attempt);
	}

	/** It decides unless the row has been claimed again meanwhile. */
	async function settleLate(row: Row, attempt: A): Promise<void> {
		try {
			const late = await options.late?.(attempt);
			if (late !== undefined) await options.settler.add(late);
		} catch (error) {
			const ids = idsOf(row);
			log.warn({ err: error, ...ids }, "a late response was not recorded");
		}
	}

	/** Resolves once half the window is free for what may be waiting, or some of it for {@link LINGER_MS}. */
	async function waitForCapacity(signal: AbortSignal): Promise<void> {
		waker ??= createWaker(signal);
		let until = Number.POSITIVE_INFINITY;
		while (!signal.aborted) {
			waker.reset();
			const now = performance.now();
			const free = isAnnounced ? capacity() : knownCapacity();
			const isHalf = free > 0 && free * 2 >= window();
			if (isHalf || now >= until) return;
			if (free > 0) until = Math.min(until, now + LINGER_MS);
			await waker.wait(Math.min(until - now, LOOK_EVERY_MS));
		}
	}

	return {
		round,
		release,
		async nextRound(signal) {
			await release();
			while (!signal.aborted) {
				await waitForCapacity(signal);
				if (signal.aborted) break;
				const isForKnown = knownCapacity() > 0;
				const claimed = await round();
				if (claimed > 0 || isForKnown) return claimed;
			}
			return 0;
		},
		capacityChanged: () => waker?.wake(),
		workAnnounced() {
			isAnnounced = true;
			waker?.wake();
		},
		owned: () => [...owned],
		underWay: () => attempts.size,
		async idle(mostMs) {
			const over = Promise.all(attempts);
			if (mostMs === undefined) await over;
			else await Promise.race([over, delay(mostMs, undefined, { ref: false })]);
		},
	};
}
