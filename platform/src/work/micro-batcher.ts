import { isDataError } from "../database/sql-errors.ts";
import type { Logger } from "../runtime/log.ts";
import { type RetryLimits, retryDelay } from "../runtime/retry-delay.ts";
import { pause } from "../runtime/waiting.ts";

export interface Batcher<I, O> {
	/** Adds one item; resolves with its own result, or rejects with the whole flush. */
	add(item: I): Promise<O>;
	depth(): number;
	/** Resolves when nothing waits and nothing is in flight. */
	drain(): Promise<void>;
}

interface BatcherOptions<I, O> {
	readonly maxItems: number;
	readonly maxInFlight: number;
	/** Flushes begin at least so far apart, ms; none by default. */
	readonly lingerMs?: () => number;
	readonly flush: (items: I[]) => Promise<O[]>;
}

interface Waiting<I, O> {
	readonly item: I;
	readonly resolve: (result: O) => void;
	readonly reject: (error: unknown) => void;
}

/** A flush begins as soon as fewer than the most are in flight: an idle system adds no wait. */
export function createBatcher<I, O>(
	options: BatcherOptions<I, O>,
): Batcher<I, O> {
	const { maxItems, maxInFlight, lingerMs = () => 0 } = options;
	let waiting: Waiting<I, O>[] = [];
	let inFlight = 0;
	let isScheduled = false;
	let timer: NodeJS.Timeout | undefined;
	let lingersUntil = 0;
	let idle: (() => void)[] = [];

	function schedule(): void {
		if (isScheduled || inFlight >= maxInFlight || waiting.length === 0) return;
		const waitMs = lingersUntil - performance.now();
		if (waitMs > 0 && waiting.length < maxItems) {
			timer ??= setTimeout(flushNext, waitMs);
			return;
		}
		isScheduled = true;
		clearTimeout(timer);
		setImmediate(flushNext);
	}

	function flushNext(): void {
		isScheduled = false;
		timer = undefined;
		lingersUntil = performance.now() + lingerMs();
		const batch = waiting.slice(0, maxItems);
		waiting = waiting.slice(maxItems);
		inFlight++;
		void settle(batch).finally(() => {
			inFlight--;
			schedule();
			if (inFlight === 0 && waiting.length === 0) reportIdle();
		});
		schedule();
	}

	async function settle(batch: Waiting<I, O>[]): Promise<void> {
		try {
			const results = await options.flush(batch.map((entry) => entry.item));
			if (results.length !== batch.length)
				throw new Error("A flush must return one result per item.");
			batch.forEach((entry, index) => {
				entry.resolve(results[index] as O);
			});
		} catch (error) {
			for (const entry of batch) entry.reject(error);
		}
	}

	function reportIdle(): void {
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

/**
 * Does work that succeeds or fails for a batch as a whole. Where it returns undefined, because one of several items is
 * at fault, it is done with each half, until that item stands alone; with a single item it must return a result.
 * @returns the results in the order of the items
 */
export async function inHalves<I, R>(
	items: readonly I[],
	work: (items: readonly I[]) => Promise<readonly R[] | undefined>,
): Promise<R[]> {
	const results = await work(items);
	if (results !== undefined) return [...results];
	if (items.length < 2) throw new Error("One item has no halves.");
	const middle = Math.ceil(items.length / 2);
	const first = await inHalves(items.slice(0, middle), work);
	return [...first, ...(await inHalves(items.slice(middle), work))];
}

export type Settler<A> = Batcher<A, void>;

export interface SettlingOptions<A> {
	readonly maxBatch: number;
	/** Batches begin at least so far apart, ms; default 0. */
	readonly lingerMs?: number;
	readonly log: Logger;
	readonly signal: AbortSignal;
	/** Records a batch, all or none. It may be repeated: a fence lets each attempt be recorded once. */
	readonly settle: (attempts: readonly A[]) => Promise<void>;
	readonly withoutResponse: (attempt: A) => A;
}

const MAX_IN_FLIGHT = 2;
const RETRY: RetryLimits = { firstMs: 100, longestMs: 1_000 };

/** Keeps attempts while the database is away. One that it refuses delays no other. */
export function createSettling<A>(options: SettlingOptions<A>): Settler<A> {
	const batcher = createBatcher<A, Refusal>({
		maxItems: options.maxBatch,
		maxInFlight: MAX_IN_FLIGHT,
		lingerMs: () => options.lingerMs ?? 0,
		flush: (attempts) =>
			inHalves(attempts, (some) => settleInsistently(options, some)),
	});
	return {
		...batcher,
		add: async (attempt) => {
			const refusal = await batcher.add(attempt);
			if (refusal !== undefined) throw refusal.error;
		},
	};
}

type Refusal = { readonly error: unknown } | undefined;

/** Undefined when the database refuses one of several. One that stands alone is tried without its response. */
async function settleInsistently<A>(
	options: SettlingOptions<A>,
	attempts: readonly A[],
): Promise<Refusal[] | undefined> {
	const { log, signal, settle, withoutResponse } = options;
	let tried = attempts;
	for (let failures = 1; ; failures++) {
		try {
			await settle(tried);
			return attempts.map(() => undefined);
		} catch (error) {
			if (signal.aborted) throw error;
			log.error({ err: error, failures }, "attempts could not be settled");
			if (!isDataError(error)) await pause(retryDelay(failures, RETRY), signal);
			else if (attempts.length > 1) return undefined;
			else if (tried !== attempts) return [{ error }];
			else tried = attempts.map(withoutResponse);
		}
	}
}
