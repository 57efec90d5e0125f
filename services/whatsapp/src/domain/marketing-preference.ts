/** Whether a user wants marketing messages of a number of ours. */
export interface MarketingPreference {
	readonly phoneNumberId: string;
	/** E.164 with "+". */
	readonly recipient: string;
	readonly isStopped: boolean;
	/** By the provider's clock, in whole seconds. */
	readonly at: Date;
}

/** The newest of each user and number, in whatever order they are given; of the same second, the one that stops. */
export function newestPreferences(
	given: readonly MarketingPreference[],
): MarketingPreference[] {
	const newest = new Map<string, MarketingPreference>();
	for (const one of given) {
		const key = `${one.recipient} ${one.phoneNumberId}`;
		const known = newest.get(key);
		if (known === undefined || isNewer(one, known)) newest.set(key, one);
	}
	return [...newest.values()];
}

function isNewer(one: MarketingPreference, other: MarketingPreference) {
	const [time, known] = [one.at.getTime(), other.at.getTime()];
	return time > known || (time === known && one.isStopped);
}
