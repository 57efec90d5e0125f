import { setTimeout as delay } from "node:timers/promises";

/** Long enough for a busy machine; only a failing check waits for it. */
const DEFAULT_TIMEOUT_MS = 120_000;

interface EventuallyOptions {
	readonly timeoutMs?: number;
	readonly everyMs?: number;
}

export async function eventually<T>(
	check: () => Promise<T> | T,
	options: EventuallyOptions = {},
): Promise<T> {
	const deadline = Date.now() + (options.timeoutMs ?? DEFAULT_TIMEOUT_MS);
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() >= deadline) throw error;
			await delay(options.everyMs ?? 20);
		}
	}
}
