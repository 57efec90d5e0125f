import type { Logger } from "./log.ts";
import { type Pace, restMs } from "./pace.ts";

export interface LoopOptions {
	readonly name: string;
	/** Pause after a run that found nothing to do, ms. */
	readonly intervalMs: number;
	/** Longest pause after failures in a row, ms; default 10,000. */
	readonly maxBackoffMs?: number | undefined;
	/** How it rests after a round that found work; without it the next round follows at once. */
	readonly pace?: Pace | undefined;
	readonly signal: AbortSignal;
	readonly log: Logger;
	/** Does one round and answers how much it did; above 0 another round follows. */
	readonly runOnce: (signal: AbortSignal) => Promise<number>;
}

export interface Loop {
	/** Starts the next round now; one that is under way is followed by another. */
	poke(): void;
	/** Settles when the signal has ended the loop and its last round is over. */
	readonly done: Promise<void>;
}

const DEFAULT_MAX_BACKOFF_MS = 10_000;

/** Runs a job until the signal ends it. An error is logged and backed off; it never ends the loop. */
export function runLoop(options: LoopOptions): Loop {
	const bell = createBell(options.signal);
	return { poke: bell.ring, done: run(options, bell) };
}

async function run(options: LoopOptions, bell: Bell): Promise<void> {
	const { signal, intervalMs, pace } = options;
	let failures = 0;
	while (!signal.aborted) {
		bell.mute();
		const startedAt = performance.now();
		try {
			const done = await options.runOnce(signal);
			failures = 0;
			const tookMs = performance.now() - startedAt;
			if (pace !== undefined && done > 0)
				await pause(restMs(pace, tookMs, done), signal);
			if (done === 0) await bell.wait(intervalMs);
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

interface Bell {
	ring(): void;
	mute(): void;
	wait(ms: number): Promise<void>;
}

/** A ring between mute and wait is kept: the wait then ends at once. */
function createBell(signal: AbortSignal): Bell {
	let rung = false;
	let wake: () => void = () => {};
	const ring = () => {
		rung = true;
		wake();
	};
	signal.addEventListener("abort", ring, { once: true });
	return {
		ring,
		mute: () => {
			rung = signal.aborted;
		},
		wait: (ms) =>
			new Promise((resolve) => {
				if (rung) return resolve();
				const timer = setTimeout(done, ms);
				function done(): void {
					clearTimeout(timer);
					wake = () => {};
					resolve();
				}
				wake = done;
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
