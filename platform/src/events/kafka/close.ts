import { pause } from "../../runtime/waiting.ts";
import type { BusEvent } from "../event-bus.ts";

/** Late work goes on, and nobody waits for it: a silent broker makes the library wait for half a minute. */
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

export interface BatchesInFlight {
	readonly onBatch: OnBatch;
	idle(): Promise<unknown>;
}

/** Knows which batches are in flight: a close waits for them, however long it waits for the broker. */
export function trackBatches(onBatch: OnBatch): BatchesInFlight {
	const inFlight = new Set<Promise<void>>();
	return {
		onBatch: async (events) => {
			const batch = onBatch(events);
			inFlight.add(batch);
			await batch.finally(() => inFlight.delete(batch));
		},
		idle: () => Promise.allSettled(inFlight),
	};
}
