import { setTimeout as delay } from "node:timers/promises";

/** `wake` ends the wait. One that comes after `reset` and before `wait` is not lost: that wait ends at once. */
export interface Waker {
	wake(): void;
	reset(): void;
	/** @param ms undefined: only a wake ends the wait */
	wait(ms: number | undefined): Promise<void>;
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
				const timer = ms === undefined ? undefined : setTimeout(done, ms);
				function done(): void {
					clearTimeout(timer);
					resolve();
				}
				endWait = done;
			}),
	};
}

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

const LOOK_EVERY_MS = 10;

/** Resolves once `isSo` returns false, or after `mostMs`; asks every 10 ms. */
export async function waitWhile(
	isSo: () => boolean | Promise<boolean>,
	mostMs: number,
): Promise<void> {
	const deadline = performance.now() + mostMs;
	while (performance.now() < deadline && (await isSo()))
		await delay(LOOK_EVERY_MS);
}
