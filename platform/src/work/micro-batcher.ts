import { type Pace, restMs } from "../runtime/pace.ts";
import { createRegrouping } from "../runtime/regrouping.ts";

/** Gathers single calls into batches. */
export interface Collector<I, O> {
	/** Adds one item; settles with its own result, or rejects with the whole flush. */
	add(item: I): Promise<O>;
	/** Items that wait for a flush. */
	depth(): number;
	/** Settles when nothing waits and nothing is in flight. */
	drain(): Promise<void>;
}

export interface CollectorOptions<I, O> {
	/** Most items in one flush. */
	readonly maxItems: number;
	/** Most flushes under way at once. */
	readonly maxInFlight: number;
	/** A flush beside another one waits for this many items, so that few items do not go in pairs; default 1. */
	readonly minBeside?: number;
	/** How it rests after a flush; without it the next flush follows at once. */
	readonly pace?: Pace;
	/**
	 * Callers that wait for their answer before they add again go together: after a flush the next one
	 * waits a little for as many items as were answered and are waiting by then, while that brings them.
	 * A pace takes its place.
	 */
	readonly regroup?: boolean;
	/**
	 * With regrouping: time that lies between the beginnings of two flushes, ms; 0 by default. It ends sooner
	 * once as many items as were answered have come.
	 */
	readonly spacing?: () => number;
	/** Answers one result per item, in order. */
	readonly flush: (items: I[]) => Promise<O[]>;
}

interface Waiting<I, O> {
	readonly item: I;
	readonly resolve: (result: O) => void;
	readonly reject: (error: unknown) => void;
}

/**
 * A collector flushes when a place is free: an idle system adds no wait, and the longer a flush takes,
 * the larger the next one is. Items added in the same turn go together.
 */
export function createCollector<I, O>(
	options: CollectorOptions<I, O>,
): Collector<I, O> {
	let waiting: Waiting<I, O>[] = [];
	const { maxItems, maxInFlight, minBeside = 1, pace, spacing } = options;
	const regrouping = options.regroup ? createRegrouping() : undefined;
	let inFlight = 0;
	let scheduled = false;
	let timer: NodeJS.Timeout | undefined;
	let restsUntil = 0;
	let endsRest = maxItems;
	let waitingAtRest = 0;
	let idle: (() => void)[] = [];

	function schedule(): void {
		const wanted = inFlight === 0 ? 1 : minBeside;
		if (scheduled || inFlight >= maxInFlight || waiting.length < wanted) return;
		const waitMs = restsUntil - performance.now();
		if (waitMs > 0 && waiting.length < endsRest) {
			timer ??= setTimeout(flushNext, waitMs);
			return;
		}
		scheduled = true;
		clearTimeout(timer);
		setImmediate(flushNext);
	}

	function flushNext(): void {
		scheduled = false;
		timer = undefined;
		regrouping?.end(waiting.length - waitingAtRest);
		const startedAt = performance.now();
		const batch = waiting.slice(0, maxItems);
		waiting = waiting.slice(maxItems);
		inFlight++;
		void settle(batch).finally(() => {
			inFlight--;
			rest(startedAt, batch.length);
			schedule();
			if (inFlight === 0 && waiting.length === 0) announceIdle();
		});
		schedule();
	}

	function rest(startedAt: number, items: number): void {
		const now = performance.now();
		const tookMs = now - startedAt;
		if (pace !== undefined) restsUntil = now + restMs(pace, tookMs, items);
		else if (regrouping !== undefined) {
			const spacedUntil = startedAt + (spacing?.() ?? 0);
			restsUntil =
				spacedUntil > now ? spacedUntil : now + regrouping.begin(items, tookMs);
			endsRest = Math.min(items + waiting.length, maxItems);
			waitingAtRest = waiting.length;
		}
	}

	async function settle(batch: Waiting<I, O>[]): Promise<void> {
		try {
			const results = await options.flush(batch.map((entry) => entry.item));
			if (results.length !== batch.length)
				throw new Error("A flush must answer one result per item.");
			batch.forEach((entry, index) => {
				entry.resolve(results[index] as O);
			});
		} catch (error) {
			for (const entry of batch) entry.reject(error);
		}
	}

	function announceIdle(): void {
		for (const resolve of idle) resolve();
		idle = [];
	}

	return {
		add: (item) =>
			new Promise<O>((resolve, reject) => {
				waiting.push({ item, resolve, reject });
				schedule();
			}),
		depth: () => waiting.length,
		drain: () =>
			inFlight === 0 && waiting.length === 0
				? Promise.resolve()
				: new Promise((resolve) => idle.push(resolve)),
	};
}
