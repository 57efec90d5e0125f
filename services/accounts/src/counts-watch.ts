import type { EventBus } from "@airtower/platform/events/event-bus";
import type { ConsumerGroup } from "./consumers/index.ts";

/** Looks after one that failed that do not count: others publish meanwhile what they kept while the bus was away. */
const LOOKS_LEFT_OUT = 2;

/**
 * Tells whether the counts for reports have all that was on the bus at the look before, or now where there was none:
 * while messages are sent, some event is always on its way. Rejects while the bus is away.
 */
export type CountsWatch = () => Promise<boolean>;

export function createCountsWatch(
	bus: Pick<EventBus, "findPositions">,
	{ group, topics }: Pick<ConsumerGroup, "group" | "topics">,
): CountsWatch {
	let ends: ReadonlyMap<string, number> = new Map();
	let leftOut = 0;
	return async () => {
		const before = ends;
		const wasLeftOut = leftOut;
		leftOut = LOOKS_LEFT_OUT;
		const positions = await bus.findPositions(group, topics);
		leftOut = Math.max(0, wasLeftOut - 1);
		ends = new Map(positions.map(({ part, end }) => [part, end]));
		return (
			wasLeftOut === 0 &&
			positions.every(
				({ part, reached, end }) => reached >= (before.get(part) ?? end),
			)
		);
	};
}
