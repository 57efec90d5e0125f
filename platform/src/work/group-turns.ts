import { LOWEST_ID } from "../runtime/ids.ts";

/** Groups of a claim and the most rows of each. */
export interface GroupShares {
	readonly groups: readonly string[];
	readonly share: number;
}

/** Most groups of a list. */
const MOST_GROUPS = 1_000;
/** A group that gets work while others have some waits so long at most, ms. */
const LISTED_FOR_MS = 100;

/**
 * Remembers for a moment which groups have claimable work, and whose turn it is: a claim does not look at all those
 * that have none. A list is as long as claims have use for until the next: to list 1,000 groups takes 20 ms, and a
 * process has hundreds of queues.
 */
export class GroupTurns {
	readonly #now: () => number;
	#listed: readonly string[] = [];
	#listedAt = Number.NEGATIVE_INFINITY;
	#last = LOWEST_ID;
	/** Groups that had their turn since the list was made. */
	#taken = 0;
	/** Groups for which the list had room left; where it had none, others behind it may have work. */
	#room = 1;

	/** @param now a clock that never goes back, ms */
	constructor(now: () => number = () => performance.now()) {
		this.#now = now;
	}

	/** Whether the groups that have claimable work are to be listed once more, from behind {@link last}. */
	get isListDue(): boolean {
		return this.#now() - this.#listedAt > LISTED_FOR_MS;
	}

	/** The group that had its turn last. */
	get last(): string {
		return this.#last;
	}

	/** Whether work is known to wait: of groups of the list, or of others behind it. */
	get hasGroups(): boolean {
		return this.#listed.length > 0 || this.#room === 0;
	}

	/** How many groups to list for a claim of at most so many rows: twice as many as had their turn since the last list. */
	listLength(limit: number): number {
		return Math.min(MOST_GROUPS, Math.max(limit, 2 * this.#taken));
	}

	/** Groups with claimable work, at most so many. */
	list(groups: readonly string[], most: number): void {
		this.#listed = groups;
		this.#listedAt = this.#now();
		this.#taken = 0;
		this.#room = Math.max(0, most - groups.length);
	}

	/** Other groups may have work since now. */
	forget(): void {
		this.#listedAt = Number.NEGATIVE_INFINITY;
	}

	/** The groups that have their turn in a claim of at most so many rows. */
	take(limit: number): GroupShares {
		const groups = this.#listed.slice(0, limit);
		this.#listed = this.#listed.slice(limit);
		this.#last = groups.at(-1) ?? this.#last;
		this.#taken += groups.length;
		return { groups, share: Math.ceil(limit / groups.length) };
	}

	/**
	 * How many rows the claim brought of each group; they have another turn while they may have more, but after those that
	 * are not listed yet.
	 * @param isFull the claim may have ended before a group's share: only others tell that a group has no more
	 */
	brought(
		{ groups, share }: GroupShares,
		rowsOf: (group: string) => number,
		isFull: boolean,
	): void {
		const left = groups.filter((group) => isFull || rowsOf(group) >= share);
		if (this.#room > 0) this.#listed = [...this.#listed, ...left];
		if (this.#listed.length === 0) this.forget();
	}
}
