/** Which of a route's hosts new connections go to: the first, or a later one while that cannot be bound. */
export interface HostChoice {
	/** Index of the host, from 0. */
	readonly at: number;
	/** Since when the first host takes connections after it could not be bound, ms; undefined while it does not. */
	readonly firstUpSince: number | undefined;
	/** Time that the first host must take connections until it is used again, ms. */
	readonly holdMs: number;
}

/** Longest such time, ms: a host that takes connections and cannot be bound costs an attempt so often. */
const LONGEST_HOLD_MS = 3_600_000;

export function chooseFirst(holdMs: number): HostChoice {
	return { at: 0, firstUpSince: undefined, holdMs };
}

/**
 * A host could not be bound: the next takes over, and after the last one the first. What another attempt has moved away
 * from already moves nothing. A first host that was used again has to hold for twice as long the next time.
 * @param host its index
 * @param hosts how many there are
 */
export function leaveHost(
	choice: HostChoice,
	host: number,
	hosts: number,
): HostChoice {
	if (host !== choice.at) return choice;
	const wasUsedAgain = host === 0 && choice.firstUpSince !== undefined;
	return {
		at: (host + 1) % hosts,
		firstUpSince: undefined,
		holdMs: wasUsedAgain
			? Math.min(2 * choice.holdMs, LONGEST_HOLD_MS)
			: choice.holdMs,
	};
}

/**
 * The first host was looked at while connections are at others. Once it has held, new ones go there again.
 * @param now any clock, ms
 */
export function seeFirst(
	choice: HostChoice,
	isUp: boolean,
	now: number,
): HostChoice {
	const firstUpSince = isUp ? (choice.firstUpSince ?? now) : undefined;
	const seen = { ...choice, firstUpSince };
	return hasHeld(seen, now) ? { ...seen, at: 0 } : seen;
}

/** Whether connections at other hosts may be moved to the first. */
export function hasHeld(
	{ firstUpSince, holdMs }: HostChoice,
	now: number,
): boolean {
	return firstUpSince !== undefined && now - firstUpSince >= holdMs;
}
