import type { Queryable } from "@airtower/platform/database/database";
import { isNotHeld } from "@airtower/platform/work/held-organizations";

export interface RouteWork {
	readonly route: string;
	readonly queued: number;
	readonly submitting: number;
	readonly unknown: number;
	readonly oldestDueAt: Date | null;
}

/** Unfinished work by route; a route without any is left out. */
export async function countWorkByRoute(sql: Queryable): Promise<RouteWork[]> {
	return sql<RouteWork[]>`
		select
			route,
			count(*) filter (where token is null and not unknown) as queued,
			count(*) filter (where token is not null) as submitting,
			count(*) filter (where unknown) as unknown,
			min(due_at) filter (
				where token is null
				and not unknown
				and due_at <= now()
			) as "oldestDueAt"
		from dispatch
		group by route
		order by route
	`;
}

/** Rows that wait, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const [row] = await sql<{ count: number }[]>`
		select count(*) as count
		from (select from dispatch limit ${limit}) as waiting
	`;
	return row?.count ?? 0;
}

/** Of the oldest that was not sent, among so many of the oldest rows; seconds since its id was made, 0 for none. */
export async function findUnsentAge(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const [row] = await sql<{ ageS: number }[]>`
		select extract(epoch from now() - uuid_extract_timestamp(message_id))::float8 as "ageS"
		from (
			select message_id, organization_id, unknown
			from dispatch
			order by message_id
			limit ${limit}
		) as oldest
		where not unknown
		and ${isNotHeld(sql, sql`oldest.organization_id`)}
		order by message_id
		limit 1
	`;
	return Math.max(0, row?.ageS ?? 0);
}
