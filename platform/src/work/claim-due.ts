import type postgres from "postgres";
import type { Queryable } from "../database/database.ts";
import type { GroupShares } from "./due-groups.ts";
import type { LeasedQueue } from "./leased-queue.ts";

export interface Claim {
	readonly token: string;
	/** A relation `(id, nth, share)`: the groups, in turn, and most rows of each. */
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
					sum(due.weight) over (order by due_groups.nth, due.due_at, due.row) - due.weight as before
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

/** Groups with the same share each, as the relation that {@link claimDue} takes. */
export function sharedGroups(
	sql: Queryable,
	{ groups, share }: GroupShares,
): postgres.Fragment {
	return sql`(
		select id, nth, ${share}::bigint as share
		from unnest(${[...groups]}::uuid[]) with ordinality as given (id, nth)
	)`;
}
