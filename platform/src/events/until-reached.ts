import { createRepeatedTrouble, type Logger } from "../runtime/log.ts";
import { pause } from "../runtime/waiting.ts";

const RETRY_PAUSE_MS = 1_000;

/** Repeats work until the bus takes it. Throws once the signal ends that. */
export async function untilReached<T>(
	{ log, signal }: { readonly log: Logger; readonly signal: AbortSignal },
	work: () => Promise<T>,
): Promise<T> {
	const trouble = createRepeatedTrouble(log);
	while (!signal.aborted) {
		try {
			const result = await work();
			trouble.over("event bus reached again");
			if (!signal.aborted) return result;
		} catch (err) {
			trouble.tell(
				"warn",
				{ err },
				"event bus not reached; it will be tried again",
			);
			await pause(RETRY_PAUSE_MS, signal);
		}
	}
	throw new Error("The event bus was closed.");
}
