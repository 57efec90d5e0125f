/** How soon its sender needs a message to go, the most urgent first. Its lane is its index in this list. */
export const PRIORITIES = ["otp", "normal", "bulk"] as const;

type Priority = (typeof PRIORITIES)[number];

export type Lane = 0 | 1 | 2;

/** The more urgent first. */
export const LANES: readonly Lane[] = [0, 1, 2];

export const OTP: Lane = 0;
export const BULK: Lane = 2;

/** @param priority empty means normal; the result of an unknown one is undefined */
export function toLane(priority: string): Lane | undefined {
	const known: readonly string[] = PRIORITIES;
	const index = known.indexOf(priority === "" ? "normal" : priority);
	return LANES[index];
}

export function toPriority(lane: Lane): Priority {
	return PRIORITIES[lane];
}

/** What each lane gets of a route while all three have more than it takes, in parts of their sum: 50, 30 and 20 %. */
const SHARES = [5, 3, 2] as const;

/** Most of each lane, by lane. */
export type LaneLimits = readonly [otp: number, normal: number, bulk: number];

/**
 * Shares what a route takes among the lanes that have work, and lends the shares of those that have none (start-time
 * fair queuing). Each lane has a time of its own, which passes with what it gets, the slower the larger its share; who
 * is furthest back is next, of equals the more urgent. A lane that had no work begins where the others are: it has
 * saved up nothing, and is next at once.
 */
export class LaneShares {
	readonly #times: [number, number, number] = [0, 0, 0];
	/** Where the lane was that got something last. */
	#now = 0;

	/** These lanes, the next one first. */
	inTurn(waiting: readonly Lane[]): Lane[] {
		return waiting.toSorted((a, b) => this.#at(a) - this.#at(b) || a - b);
	}

	/** A lane got so many segments. */
	took(lane: Lane, segments: number): void {
		this.#now = this.#at(lane);
		this.#times[lane] = this.#now + segments / SHARES[lane];
	}

	/**
	 * Lanes got so many segments together. They count one by one: a lane that had everything while no other had work owes
	 * them nothing.
	 */
	tookTogether(segments: LaneLimits): void {
		this.#serve(Number.POSITIVE_INFINITY, segments);
	}

	/** How many of so many segments each lane may take. @param most 0 for a lane without work */
	allot(segments: number, most: LaneLimits): LaneLimits {
		return this.#copy().#serve(segments, most);
	}

	/** Gives out segments one by one, and returns what each lane got. */
	#serve(segments: number, most: LaneLimits): LaneLimits {
		const got: [number, number, number] = [0, 0, 0];
		for (let left = segments; left > 0; left--) {
			const open = LANES.filter((lane) => got[lane] < most[lane]);
			const [next] = this.inTurn(open);
			if (next === undefined) break;
			got[next]++;
			this.took(next, 1);
		}
		return got;
	}

	#at(lane: Lane): number {
		return Math.max(this.#times[lane], this.#now);
	}

	#copy(): LaneShares {
		const copy = new LaneShares();
		for (const lane of LANES) copy.#times[lane] = this.#times[lane];
		copy.#now = this.#now;
		return copy;
	}
}
