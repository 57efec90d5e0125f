import { setTimeout as delay } from "node:timers/promises";
import type { ClaimedDelivery } from "../store/delivery-queue.ts";

/** The attempts of this process that are in flight, until they are settled. */
export interface Attempts {
	readonly size: number;
	/** Holds an attempt until it ends. */
	add(delivery: ClaimedDelivery, attempt: Promise<void>): void;
	deliveries(): ClaimedDelivery[];
	/** Resolves when those that are in flight now have ended, ... */
	settled(): Promise<void>;
	/** ... or after `ms`. */
	settledWithin(ms: number): Promise<void>;
	/** True when deliveries may be claimed under our token that no attempt is in flight for. */
	mayHaveLost: boolean;
}

export function createAttempts(): Attempts {
	const running = new Map<Promise<void>, ClaimedDelivery>();
	return {
		get size() {
			return running.size;
		},
		mayHaveLost: false,
		add: (delivery, attempt) => {
			const held = attempt.finally(() => running.delete(held));
			running.set(held, delivery);
		},
		deliveries: () => [...running.values()],
		settled: async () => {
			await Promise.all(running.keys());
		},
		settledWithin: async (ms) => {
			const timer = new AbortController();
			const late = delay(ms, undefined, { signal: timer.signal });
			await Promise.race([
				Promise.all(running.keys()),
				late.catch(() => undefined),
			]);
			timer.abort();
		},
	};
}
