import { firstIdAt } from "@airtower/platform/runtime/ids";

const DAY_MS = 86_400_000;
/**
 * Days after its acceptance for which a message's end is counted, once. A message waits 30 days at most, and few are
 * unknown for longer than the rest.
 */
const COUNTED_DAYS = 120;
/** How much longer a mark is kept, days: clocks differ. */
const SLACK_DAYS = 2;

/** Acceptances and ends of messages with lower ids are not counted any more. */
export function lowestCounted(now: Date): string {
	return firstIdAt(new Date(now.getTime() - COUNTED_DAYS * DAY_MS));
}

/** Marks below this one tell of nothing that may be counted again. */
export function lowestMark(now: Date): string {
	const days = COUNTED_DAYS + SLACK_DAYS;
	return firstIdAt(new Date(now.getTime() - days * DAY_MS));
}
