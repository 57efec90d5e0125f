import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";
import { LOWEST_ID } from "../runtime/ids.ts";
import type { LeasedQueue } from "./leased-queue.ts";

export interface DueGroups {
	/** Condition that names the queue within its table, by equality of the index's first columns. */
	readonly within: postgres.Fragment;
	/** All that a claim demands of a row of the group `groups.id` beside being due, with a leading "and". */
	readonly claimable?: postgres.Fragment;
	/** The list begins after this group and goes around to it. */
	readonly after: postgres.Fragment;
	readonly limit: number;
}

/** Expressions for `with recursive`: `due_groups (id, nth)`, groups with claimable work, at two index searches each. */
export function dueGroups(
	sql: Queryable,
	{ table, group }: LeasedQueue<string>,
	{ within, claimable = sql``, after, limit }: DueGroups,
): postgres.Fragment {
	const firstGroup = (beyond: postgres.Fragment) => sql`(
		select ${sql(group)} as id
		from ${sql(table)}
		where ${within} ${beyond}
		order by ${sql(group)}
		limit 1
	)`;
	return sql`
		groups (id, nth, wrapped) as (
			select ${after}, 0, false
			union all
			select coalesce(later.id, first.id), nth + 1, wrapped or later.id is null
			from groups
			left join lateral ${firstGroup(sql`and ${sql(group)} > groups.id`)} as later on true
			left join lateral ${firstGroup(sql``)} as first on later.id is null and not wrapped
			where case
				when wrapped then later.id <= ${after}
				when later.id is null then first.id <= ${after}
				else true
			end
		),
		due_groups as (
			select id, nth
			from groups
			cross join lateral (
				select
				from ${sql(table)}
				where ${within}
				and ${sql(group)} = groups.id
				and due_at <= now()
				and token is null
				${claimable}
				order by due_at
				limit 1
			) as head
			where nth > 0
			limit ${limit}
		)
	`;
}

/** Groups of a claim and the most rows of each. */
export interface GroupShares {
	readonly groups: readonly string[];
	readonly share: number;
}

/** Most groups of a list. */
export const MOST_GROUPS = 1_000;
/** A group that gets work while others have some waits so long at most, ms. To list 1,000 takes a few of them. */
const LISTED_FOR_MS = 100;

/**
 * Remembers for a moment which groups have claimable work, and whose turn it is: a claim does not look at all those that
 * have none.
 */
export class GroupTurns {
	readonly #now: () => number;
	#listed: readonly string[] = [];
	#listedAt = Number.NEGATIVE_INFINITY;
	#last = LOWEST_ID;

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

	get hasGroups(): boolean {
		return this.#listed.length > 0;
	}

	/** Groups with claimable work, at most {@link MOST_GROUPS}. */
	list(groups: readonly string[]): void {
		this.#listed = groups;
		this.#listedAt = this.#now();
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
		return { groups, share: Math.ceil(limit / groups.length) };
	}

	/**
	 * How many rows the claim brought of each group; they have another turn while they may have more.
	 * @param isFull the claim may have ended before a group's share: only others tell that a group has no more
	 */
	brought(
		{ groups, share }: GroupShares,
		rowsOf: (group: string) => number,
		isFull: boolean,
	): void {
		const left = groups.filter((group) => isFull || rowsOf(group) >= share);
		this.#listed = [...this.#listed, ...left];
		if (!this.hasGroups) this.forget();
	}
}
