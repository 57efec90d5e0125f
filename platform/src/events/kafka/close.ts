import { pause } from "../../runtime/loop.ts";
import type { BusEvent } from "../event-bus.ts";

/**
 * True when the work is done at most `ms` after `begin`. Work that is late goes on, and nobody waits for it:
 * with its broker gone the library tries again for seconds, and with a broker that is silent it waits for half a minute.
 */
export async function isInTime(
	work: Promise<unknown>,
	ms: number,
	begin: Promise<unknown> = Promise.resolve(),
): Promise<boolean> {
	const over = new AbortController();
	const late = begin.then(() => pause(ms, over.signal));
	try {
		return await Promise.race([work.then(() => true), late.then(() => false)]);
	} finally {
		over.abort();
	}
}

type OnBatch = (events: BusEvent[]) => Promise<void>;

export interface BatchesAtHand {
	readonly onBatch: OnBatch;
	/** Resolves when those that are at hand now are over. */
	idle(): Promise<unknown>;
}

/** Knows which batches are at hand: a close waits for them, however long it waits for the broker. */
export function trackBatches(onBatch: OnBatch): BatchesAtHand {
	const atHand = new Set<Promise<void>>();
	return {
		onBatch: async (events) => {
			const batch = onBatch(events);
			atHand.add(batch);
			try {
				await batch;
			} finally {
				atHand.delete(batch);
			}
		},
		idle: () => Promise.allSettled(atHand),
	};
}
