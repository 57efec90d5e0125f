import type { Tx } from "@airtower/platform/database/database";

export interface PassedMessages {
	readonly last: string | null;
	/** Submitted, and sent at once. */
	readonly submitted: readonly string[];
	/** Scheduled, and not ended. */
	readonly scheduled: readonly string[];
}

/** The next messages of a scan, up to `limit`: the last of them, and those that have not ended. */
export async function findSubmitted(
	sql: Tx,
	range: { readonly after: string; readonly before: string },
	limit: number,
): Promise<PassedMessages> {
	const [passed] = await sql<[PassedMessages]>`
		select
			(array_agg(id order by id desc))[1] as last,
			coalesce(array_agg(id) filter (where status = 'submitted' and send_at is null), '{}') as submitted,
			coalesce(array_agg(id) filter (where finished_at is null and send_at is not null), '{}') as scheduled
		from (
			select id, status, send_at, finished_at
			from messages
			where id > ${range.after}
			and id < ${range.before}
			order by id
			limit ${limit}
		) as passed
	`;
	return passed;
}
