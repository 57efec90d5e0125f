import type { PartitionPlace } from "./places.ts";

/** Looks are counted, not time: a process that was stopped is not stalled. */
export const CHECKS = 6;

const nameOf = ({ topic, partition }: PartitionPlace) =>
	`${topic}/${partition}`;

/** Counts the looks in a row at which events waited and no offset had moved. */
export function createStallCounter() {
	let offsets = new Map<string, string>();
	let looks = -1;
	const hasMoved = (place: PartitionPlace) =>
		(offsets.get(nameOf(place)) ?? place.offset) !== place.offset;
	return {
		reset: () => {
			looks = -1;
		},
		count: (places: readonly PartitionPlace[]): PartitionPlace | undefined => {
			const waiting = places.find(({ lag }) => lag > 0);
			if (waiting === undefined) looks = -1;
			else if (places.some(hasMoved)) looks = 0;
			else looks++;
			offsets = new Map(places.map((place) => [nameOf(place), place.offset]));
			return looks === CHECKS ? waiting : undefined;
		},
	};
}
