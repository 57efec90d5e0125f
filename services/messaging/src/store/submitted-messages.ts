import type { Queryable } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { ScanPage } from "@airtower/platform/work/resumable-scan";

export interface SubmittedPage extends ScanPage {
	/** Submitted, and sent at once. */
	readonly submitted: readonly string[];
	/** Scheduled, and not ended. */
	readonly scheduled: readonly string[];
}

/**
 * Of the next messages after an id, up to `limit`, that were accepted `ageMs` ago by the database's clock, those that
 * have not ended; undefined where there are none.
 */
export async function findSubmitted(
	sql: Queryable,
	after: string,
	ageMs: number,
	limit: number,
): Promise<SubmittedPage | undefined> {
	const [{ now }] = await sql<[{ now: Date }]>`select now() as now`;
	const [page] = await sql<SubmittedPage[]>`
		select
			(array_agg(id order by id desc))[1] as "end",
			coalesce(array_agg(id) filter (where status = 'submitted' and send_at is null), '{}') as submitted,
			coalesce(array_agg(id) filter (where finished_at is null and send_at is not null), '{}') as scheduled
		from (
			select id, status, send_at, finished_at
			from messages
			where id > ${after}
			and id < ${firstIdAt(new Date(now.getTime() - ageMs))}
			order by id
			limit ${limit}
		) as passed
		having count(*) > 0
	`;
	return page;
}
