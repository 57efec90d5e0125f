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
