import type { Tx } from "@airtower/platform/database/database";

export interface PassedMessages {
	readonly last: string | null;
	readonly submitted: readonly string[];
}

/** The next messages of a scan, up to `limit`: the last of them, and those that are submitted. */
export async function findSubmitted(
	sql: Tx,
	range: { readonly after: string; readonly before: string },
	limit: number,
): Promise<PassedMessages> {
	const [passed] = await sql<[PassedMessages]>`
		select
			(array_agg(id order by id desc))[1] as last,
			coalesce(array_agg(id) filter (where status = 'submitted'), '{}') as submitted
		from (
			select id, status
			from messages
			where id > ${range.after}
			and id < ${range.before}
			order by id
			limit ${limit}
		) as passed
	`;
	return passed;
}
