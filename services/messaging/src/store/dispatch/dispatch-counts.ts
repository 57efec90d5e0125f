import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import {
	countRows,
	findOldestAge,
} from "@airtower/platform/work/measure-queue";
import { isNotSuspended } from "@airtower/platform/work/suspended-groups";
import type postgres from "postgres";
import { suspendedOrganizations } from "../suspended-organizations.ts";

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

const toQueue = (limit: number) =>
	({ table: "dispatch", id: "message_id", limit }) as const;

/** Rows that wait, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	return countRows(sql, toQueue(limit));
}

/**
 * Longest wait of one that was not sent, among so many of the oldest rows; seconds since its id was made, or since it
 * was to be sent, 0 for none. What the operator has refused counts while it is due again: only then somebody is late.
 */
export async function findUnsentAge(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const isUnsent = sql`
		not unknown
		and (refusals = 0 or (due_at <= now() and token is null))
		and ${isNotSuspended(sql, suspendedOrganizations, sql`oldest.organization_id`)}
	`;
	const atOnce = sql`send_at is null and ${isUnsent}`;
	return Math.max(
		await findOldestAge(sql, toQueue(limit), atOnce),
		await findLatest(sql, limit, isUnsent),
	);
}

/** Scheduled messages stand first, for their ids are old. */
async function findLatest(
	sql: Queryable,
	limit: number,
	isUnsent: postgres.Fragment,
): Promise<number> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<[{ lateS: number }]>`
		select coalesce(extract(epoch from now() - min(send_at)), 0)::float8 as "lateS"
		from (
			select *
			from dispatch
			order by message_id
			limit ${limit}
		) as oldest
		where send_at is not null
		and ${isUnsent}
	`,
	);
	return row.lateS;
}
