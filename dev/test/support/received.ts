import type { BusEvent } from "@airtower/platform/events/event-bus";
import { eventually } from "@airtower/platform/testing/eventually";

export interface Received {
	readonly events: BusEvent[];
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	/** Waits until every one of these events has come. */
	all(expected: readonly BusEvent[]): Promise<void>;
	/** Ids in order of arrival, repeats left out. */
	ids(key?: string): string[];
}

/** Collects what a subscription delivers. */
export function collect(): Received {
	const events: BusEvent[] = [];
	const ids = (key?: string) => [
		...new Set(
			events
				.filter((event) => key === undefined || event.key === key)
				.map(({ id }) => id),
		),
	];
	return {
		events,
		ids,
		onBatch: async (batch) => {
			events.push(...batch);
		},
		all: async (expected) => {
			await eventually(() => {
				const came = new Set(ids());
				const missing = expected.filter(({ id }) => !came.has(id));
				if (missing.length > 0)
					throw new Error(`${missing.length} events have not come`);
			});
		},
	};
}

export function idsOf(events: readonly BusEvent[]): string[] {
	return events.map(({ id }) => id);
}
