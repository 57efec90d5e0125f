import { setTimeout as delay } from "node:timers/promises";

export interface EventuallyOptions {
	readonly timeoutMs?: number;
	readonly everyMs?: number;
}

/** Repeats a check until it stops throwing; answers its value, or throws its last error at the time-out. */
export async function eventually<T>(
	check: () => Promise<T> | T,
	options: EventuallyOptions = {},
): Promise<T> {
	const deadline = Date.now() + (options.timeoutMs ?? 5_000);
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (Date.now() >= deadline) throw error;
			await delay(options.everyMs ?? 20);
		}
	}
}
