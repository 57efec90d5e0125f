import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import {
	countRows,
	findOldestAge,
} from "@airtower/platform/work/measure-queue";
import { isNotSuspended } from "@airtower/platform/work/suspended-groups";

import { suspendedOrganizations } from "./suspended-organizations.ts";

const toQueue = (limit: number) =>
	({ table: "dispatch", id: "message_id", limit }) as const;

/** Messages that wait for the provider, counted up to a limit. */
export async function countDispatch(
	sql: Queryable,
	limit: number,
): Promise<number> {
	return countRows(sql, toQueue(limit));
}

/** Of the oldest that waits although its number works and nobody holds it back, seconds; 0 for none. */
export async function findUnsentAge(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const isFree = sql`exists (
		select
		from phone_numbers
		where phone_numbers.id = oldest.phone_number_id
		and status = 'active'
		and ${isNotSuspended(sql, suspendedOrganizations, sql`phone_numbers.organization_id`)}
	)`;
	return findOldestAge(sql, toQueue(limit), isFree);
}

/** Seconds since the oldest unknown message got no response, 0 for none. */
export async function findUnknownAge(
	sql: Queryable,
	unknownWaitMs: number,
): Promise<number> {
	const [row] = await byIndex(
		sql,
		(sql) => sql<{ leftS: number }[]>`
		select extract(epoch from unknown_until - now())::float8 as "leftS"
		from messages
		where status = 'unknown'
		order by unknown_until
		limit 1
	`,
	);
	return row === undefined ? 0 : Math.max(0, unknownWaitMs / 1_000 - row.leftS);
}
