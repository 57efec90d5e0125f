import { createRepeatedTrouble, type Logger } from "./log.ts";
import { retryDelay } from "./retry-delay.ts";
import { createWaker, pause, type Waker } from "./waiting.ts";

export interface LoopOptions {
	readonly name: string;
	/** After a round that found nothing to do, ms; a wake ends the wait. Undefined: only a wake does. */
	readonly intervalMs: number | undefined;
	/** Rounds that were not full begin at least so far apart, ms; default 0. */
	readonly lingerMs?: number | undefined;
	/** A round that did so much was full: the next one follows at once. Read after each round. */
	readonly batchSize?: number | undefined;
	readonly maxBackoffMs?: number | undefined;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** Does one round and returns how much it did; above 0 another round follows. */
	readonly runOnce: (signal: AbortSignal) => Promise<number>;
}

export interface Loop {
	wake(): void;
	/** Resolves when the signal has ended the loop and its last round is over. */
	readonly done: Promise<void>;
}

/** Of loops that nobody waits for, ms: under load their work goes in a dozen batches a second. */
export const BACKGROUND_LINGER_MS = 80;

const DEFAULT_MAX_BACKOFF_MS = 10_000;
/** In a row; fewer pass by themselves, as while another service starts. */
const FAILURES_OF_NOTE = 3;

/** Runs a job until the signal ends it. Errors are logged, in a row once, and backed off; none ends the loop. */
export function runLoop(options: LoopOptions): Loop {
	const waker = createWaker(options.signal);
	return { wake: waker.wake, done: run(options, waker) };
}

async function run(options: LoopOptions, waker: Waker): Promise<void> {
	const { signal, intervalMs, lingerMs = 0 } = options;
	const trouble = createRepeatedTrouble(options.log, { loop: options.name });
	let failures = 0;
	while (!signal.aborted) {
		waker.reset();
		const startedAt = performance.now();
		try {
			const done = await options.runOnce(signal);
			if (failures > 0) trouble.over("loop works again");
			failures = 0;
			if (done === 0) await waker.wait(intervalMs);
			if (done < (options.batchSize ?? Number.POSITIVE_INFINITY))
				await pause(startedAt + lingerMs - performance.now(), signal);
		} catch (error) {
			if (signal.aborted) return;
			failures++;
			const level = failures < FAILURES_OF_NOTE ? "warn" : "error";
			trouble.tell(level, { err: error }, "loop failed");
			await pause(backoffMs(options, failures), signal);
		}
	}
}

function backoffMs(
	{ intervalMs, maxBackoffMs = DEFAULT_MAX_BACKOFF_MS }: LoopOptions,
	failures: number,
): number {
	const firstMs = Math.max(intervalMs ?? 0, 100);
	return retryDelay(failures, { firstMs, longestMs: maxBackoffMs });
}
