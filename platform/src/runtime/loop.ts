import type { Logger } from "./log.ts";

export interface LoopOptions {
	readonly name: string;
	/** Wait after a round that found nothing to do, ms; a wake ends it. */
	readonly intervalMs: number;
	/** Rounds that were not full begin at least so far apart, ms; default 0. */
	readonly lingerMs?: number | undefined;
	/** A round that did so much was full: the next one follows at once. Default: no round is full. */
	readonly batchSize?: number | undefined;
	/** Longest wait after failures in a row, ms; default 10,000. */
	readonly maxBackoffMs?: number | undefined;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** Does one round and returns how much it did; above 0 another round follows. */
	readonly runOnce: (signal: AbortSignal) => Promise<number>;
}

export interface Loop {
	/** Starts the next round now, or after the one that is under way. */
	wake(): void;
	/** Resolves when the signal has ended the loop and its last round is over. */
	readonly done: Promise<void>;
}

/**
 * Linger of loops that follow a request and that nobody waits for, ms: under load their work goes in a dozen batches
 * a second, and four stages in a row add less than a third of a second.
 */
export const BACKGROUND_LINGER_MS = 80;

const DEFAULT_MAX_BACKOFF_MS = 10_000;

/** Runs a job until the signal ends it. An error is logged and backed off; it never ends the loop. */
export function runLoop(options: LoopOptions): Loop {
	const waker = createWaker(options.signal);
	return { wake: waker.wake, done: run(options, waker) };
}

async function run(options: LoopOptions, waker: Waker): Promise<void> {
	const { signal, intervalMs, lingerMs = 0 } = options;
	const batchSize = options.batchSize ?? Number.POSITIVE_INFINITY;
	let failures = 0;
	while (!signal.aborted) {
		waker.reset();
		const startedAt = performance.now();
		try {
			const done = await options.runOnce(signal);
			failures = 0;
			if (done === 0) await waker.wait(intervalMs);
			if (done < batchSize)
				await pause(startedAt + lingerMs - performance.now(), signal);
		} catch (error) {
			if (signal.aborted) return;
			failures++;
			options.log.error(
				{ err: error, loop: options.name, failures },
				"loop failed",
			);
			await pause(backoffMs(options, failures), signal);
		}
	}
}

function backoffMs(
	{ intervalMs, maxBackoffMs = DEFAULT_MAX_BACKOFF_MS }: LoopOptions,
	failures: number,
): number {
	return Math.min(
		Math.max(intervalMs, 100) * 2 ** (failures - 1),
		maxBackoffMs,
	);
}

/** A wait that `wake` ends; a wake between `reset` and `wait` is kept: the wait then ends at once. */
export interface Waker {
	wake(): void;
	reset(): void;
	wait(ms: number): Promise<void>;
}

export function createWaker(signal: AbortSignal): Waker {
	let isAwake = false;
	let endWait: () => void = () => {};
	const wake = () => {
		isAwake = true;
		endWait();
	};
	signal.addEventListener("abort", wake, { once: true });
	return {
		wake,
		reset: () => {
			isAwake = signal.aborted;
		},
		wait: (ms) =>
			new Promise((resolve) => {
				if (isAwake) return resolve();
				const timer = setTimeout(done, ms);
				function done(): void {
					clearTimeout(timer);
					endWait = () => {};
					resolve();
				}
				endWait = done;
			}),
	};
}

/** Waits `ms` (not at all from 0 down), or less when the signal ends it. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
	return new Promise((resolve) => {
		if (signal.aborted || ms <= 0) return resolve();
		const timer = setTimeout(done, ms);
		signal.addEventListener("abort", done, { once: true });
		function done(): void {
			clearTimeout(timer);
			signal.removeEventListener("abort", done);
			resolve();
		}
	});
}
