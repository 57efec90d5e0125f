import { setTimeout as delay } from "node:timers/promises";
import type { ClaimedDelivery } from "../store/delivery-queue.ts";

export interface Attempts {
	readonly size: number;
	add(delivery: ClaimedDelivery, attempt: Promise<void>): void;
	deliveries(): ClaimedDelivery[];
	settled(): Promise<void>;
	settledWithin(ms: number): Promise<void>;
	/** Deliveries may be claimed under our token that no attempt is in flight for. */
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
			const tracked = attempt.finally(() => running.delete(tracked));
			running.set(tracked, delivery);
		},
		deliveries: () => [...running.values()],
		settled: async () => {
			await Promise.all(running.keys());
		},
		settledWithin: async (ms) => {
			const late = delay(ms, undefined, { ref: false });
			await Promise.race([Promise.all(running.keys()), late]);
		},
	};
}
