import type { Logger } from "../runtime/log.ts";
import { pause } from "../runtime/waiting.ts";
import type { BusEvent } from "./event-bus.ts";

export interface Delivery {
	readonly group: string;
	readonly events: BusEvent[];
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly onFailure?: () => void;
}

const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;

/** Hands a batch over until it is accepted; returns false when the signal ended the tries. */
export async function deliver(delivery: Delivery): Promise<boolean> {
	for (let failures = 0; !delivery.signal.aborted; ) {
		try {
			await delivery.onBatch(delivery.events);
			return true;
		} catch (error) {
			failures++;
			delivery.onFailure?.();
			delivery.log.warn(
				{ err: error, group: delivery.group, failures },
				"event batch refused; it will be tried again",
			);
			await pause(pauseMs(failures), delivery.signal);
		}
	}
	return false;
}

function pauseMs(failures: number): number {
	return Math.min(FIRST_PAUSE_MS * 2 ** (failures - 1), LONGEST_PAUSE_MS);
}
