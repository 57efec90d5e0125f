import type { Logger } from "./log.ts";
import { type Loop, type LoopOptions, runLoop } from "./loop.ts";

export interface Jobs {
	readonly signal: AbortSignal;
	start(options: Omit<LoopOptions, "signal" | "log">): Loop;
	add(loop: Loop): Loop;
	/** Ends all loops; resolves when their last rounds are over. */
	close(): Promise<void>;
}

export function createJobs(log: Logger): Jobs {
	const stop = new AbortController();
	const loops: Loop[] = [];
	const add = (loop: Loop) => {
		loops.push(loop);
		return loop;
	};
	return {
		signal: stop.signal,
		add,
		start: (options) => add(runLoop({ ...options, signal: stop.signal, log })),
		async close() {
			stop.abort();
			await Promise.all(loops.map((loop) => loop.done));
		},
	};
}
