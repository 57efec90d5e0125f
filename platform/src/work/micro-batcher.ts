export interface Batcher<I, O> {
	/** Adds one item; resolves with its own result, or rejects with the whole flush. */
	add(item: I): Promise<O>;
	depth(): number;
	/** Resolves when nothing waits and nothing is in flight. */
	drain(): Promise<void>;
}

export interface BatcherOptions<I, O> {
	readonly maxItems: number;
	readonly maxInFlight: number;
	readonly lingerMs?: number;
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
	const { maxItems, maxInFlight, lingerMs = 0 } = options;
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
		lingersUntil = performance.now() + lingerMs;
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
