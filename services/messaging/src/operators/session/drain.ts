import { setTimeout as delay } from "node:timers/promises";

const POLL_MS = 10;

/** Resolves once nothing is under way, or after so long, ms. */
export async function drain(
	isBusy: () => boolean,
	mostMs: number,
): Promise<void> {
	const deadline = performance.now() + mostMs;
	while (isBusy() && performance.now() < deadline) await delay(POLL_MS);
}
