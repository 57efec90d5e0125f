import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";
import { LOWEST_ID } from "../runtime/ids.ts";
import type { LeasedQueue } from "./leased-queue.ts";

export const FIRST_GROUP = LOWEST_ID;

export interface DueGroups {
	/** Condition that names the queue within its table, by equality of the index's first columns. */
	readonly within: postgres.Fragment;
	/** The walk begins after this group and ends with it. */
	readonly after: string;
	readonly limit: number;
}

/** Expressions for `with recursive`: up to `limit` groups with due work, at two probes of the index each. */
export function dueGroups(
	sql: Queryable,
	{ table, group }: LeasedQueue<string>,
	{ within, after, limit }: DueGroups,
): postgres.Fragment {
	const firstGroup = (beyond: postgres.Fragment) => sql`(
		select ${sql(group)} as id
		from ${sql(table)}
		where ${within} ${beyond}
		order by ${sql(group)}
		limit 1
	)`;
	return sql`
		walk (id, place, wrapped) as (
			select ${after}::uuid, 0, false
			union all
			select coalesce(later.id, first.id), place + 1, wrapped or later.id is null
			from walk
			left join lateral ${firstGroup(sql`and ${sql(group)} > walk.id`)} as later on true
			left join lateral ${firstGroup(sql``)} as first on later.id is null and not wrapped
			where case
				when wrapped then later.id <= ${after}
				when later.id is null then first.id <= ${after}
				else true
			end
		),
		due_groups as (
			select id, place, ceil(${limit}::float8 / count(*) over ())::integer as share
			from (
				select id, place
				from walk
				cross join lateral (
					select
					from ${sql(table)}
					where ${within}
					and ${sql(group)} = walk.id
					and due_at <= now()
					and token is null
					order by due_at
					limit 1
				) as head
				where place > 0
				limit ${limit}
			) as due
		)
	`;
}

export interface Claim {
	readonly token: string;
	/** A relation `(id, place, share)`: the groups, in turn, and most rows of each. */
	readonly groups: postgres.Fragment;
	/** Conditions beside being due, with a leading "and". */
	readonly where?: postgres.Fragment;
	/** Further changes, with a leading comma, of columns that no index mentions. */
	readonly set?: postgres.Fragment;
	/** Most weight: the last row may go beyond. */
	readonly limit: number;
}

/** Claims due rows, the oldest of each group first. The lease cannot be taken over before its transaction ends. */
export function claimDue(
	sql: Queryable,
	{ table, group, weight }: LeasedQueue<string>,
	{ token, groups, where = sql``, set = sql``, limit }: Claim,
): postgres.Fragment {
	return sql`
		update ${sql(table)} as work
		set
			token = ${token},
			attempt = work.attempt + 1
			${set}
		where ctid = any(array(
			select row
			from (
				select
					due.row,
					sum(due.weight) over (order by due_groups.place, due.due_at, due.row) - due.weight as before
				from ${groups} as due_groups
				cross join lateral (
					select
						ctid as row,
						due_at,
						${weight === undefined ? sql`1` : sql(weight)} as weight
					from ${sql(table)}
					where ${sql(group)} = due_groups.id
					and due_at <= now()
					and token is null
					${where}
					order by due_at
					limit due_groups.share
					for update skip locked
				) as due
			) as ranked
			where before < ${limit}
		))
		and exists (
			select
			from leases
			where token = ${token}
			for key share
		)
		returning work.*
	`;
}
