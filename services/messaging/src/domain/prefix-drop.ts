interface Outcomes {
	readonly submitted: number;
	readonly delivered: number;
}

/** What became of messages to one country: lately, and in the week before. */
interface PrefixOutcomes {
	readonly hour: Outcomes;
	readonly week: Outcomes;
}

/** Submissions from which a share says something. */
const ENOUGH_OF_AN_HOUR = 50;
const ENOUGH_OF_A_WEEK = 500;

/**
 * By how much the delivered share of one country's messages fell below its own week, the most of all countries: 0 to 1.
 */
export function largestDrop(prefixes: readonly PrefixOutcomes[]): number {
	const drops = prefixes
		.filter(
			({ hour, week }) =>
				hour.submitted >= ENOUGH_OF_AN_HOUR &&
				week.submitted >= ENOUGH_OF_A_WEEK,
		)
		.map(({ hour, week }) => shareOf(week) - shareOf(hour));
	return Math.max(0, ...drops);
}

function shareOf({ submitted, delivered }: Outcomes): number {
	return delivered / submitted;
}
