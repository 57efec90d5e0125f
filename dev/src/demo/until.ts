import { setTimeout as delay } from "node:timers/promises";
import { StepFailed } from "./step.ts";

const POLL_MS = 25;

/** Asks until there is an answer. @throws StepFailed with `otherwise` after the time-out */
export async function until<T>(
	ask: () => Promise<T | undefined> | T | undefined,
	timeoutMs: number,
	otherwise: () => string,
): Promise<T> {
	const deadline = Date.now() + timeoutMs;
	for (;;) {
		const answer = await ask();
		if (answer !== undefined) return answer;
		if (Date.now() > deadline)
			throw new StepFailed(`after ${timeoutMs / 1_000} s ${otherwise()}`);
		await delay(POLL_MS);
	}
}
