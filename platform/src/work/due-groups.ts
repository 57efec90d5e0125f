import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";
import { LOWEST_ID } from "../runtime/ids.ts";
import type { GroupShares, LeasedQueue } from "./leased-queue.ts";

export interface DueGroups {
	/** Condition that names the queue within its table, by equality of the index's first columns. */
	readonly within: postgres.Fragment;
	/** All that a claim demands of a row of the group `groups.id` beside being due, with a leading "and". */
	readonly claimable?: postgres.Fragment;
	/** The list begins after this group and goes around to it. */
	readonly after: string;
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
			select ${after}::uuid, 0, false
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

export interface GroupRounds<Row> {
	/** Claims rows of at most `limit` weight from groups in rotation; none when no group has claimable work. */
	claim(
		limit: number,
		claim: (shares: GroupShares) => Promise<Row[]>,
	): Promise<Row[]>;
}

export interface GroupRoundsOptions<Row> {
	/** Groups with claimable work, beginning after the given one, at most so many. */
	readonly list: (after: string, limit: number) => Promise<string[]>;
	readonly groupOf: (row: Row) => string;
	readonly weightOf: (row: Row) => number;
	/** A clock that never goes back, ms. */
	readonly now?: () => number;
}

/** Most groups of a list. */
const MOST_GROUPS = 1_000;
/** A group that gets work while others have some waits so long at most, ms. To list 1,000 takes a few of them. */
const LISTED_FOR_MS = 100;

/** Remembers for a moment which groups have claimable work: a claim does not look at all those that have none. */
export function createGroupRounds<Row>({
	list,
	groupOf,
	weightOf,
	now = () => performance.now(),
}: GroupRoundsOptions<Row>): GroupRounds<Row> {
	let listed: readonly string[] = [];
	let listedAt = 0;
	let last = LOWEST_ID;

	async function next(limit: number): Promise<readonly string[]> {
		if (listed.length === 0 || now() - listedAt > LISTED_FOR_MS) {
			listedAt = now();
			listed = await list(last, MOST_GROUPS);
		}
		const groups = listed.slice(0, limit);
		listed = listed.slice(limit);
		last = groups.at(-1) ?? last;
		return groups;
	}

	return {
		async claim(limit, claim) {
			const groups = await next(limit);
			if (groups.length === 0) return [];
			const share = Math.ceil(limit / groups.length);
			const rows = await claim({ groups, share });
			const brought = Map.groupBy(rows, groupOf);
			const isFull = rows.reduce((sum, row) => sum + weightOf(row), 0) >= limit;
			// A full claim may have ended before a group's share: only others tell that a group has no more.
			const left = groups.filter(
				(group) => isFull || (brought.get(group)?.length ?? 0) >= share,
			);
			listed = [...listed, ...left];
			return rows;
		},
	};
}
