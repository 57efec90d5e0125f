import type { Queryable } from "@airtower/platform/database/database";

/** A string in JSON, quotes included. */
export const JSON_STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const TEXT = `"text":${JSON_STRING}`;
export const NO_TEXT = '"text":""';

/**
 * Blanks the next texts that are older than their organization keeps them, the oldest first; returns how many. One that
 * an endpoint still waits for stays until its delivery is over.
 * @param days for organizations without a time of their own
 */
export async function blankOldTexts(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const rows = await sql`
		with old as materialized (
			select id
			from events
			left join retention using (organization_id)
			where type = 'message.received'
			and position('"text":""' in body) = 0
			and created_at < now() - interval '1 day' * (
				select least(${days}::integer, min(body_days)) from retention
			)
			and created_at < now() - interval '1 day' * coalesce(body_days, ${days}::integer)
			and (
				select event_id
				from delivery_queue
				where event_id = events.id
				limit 1
			) is null
			order by created_at
			limit ${limit}
			for update of events skip locked
		)
		update events
		set body = regexp_replace(body, ${TEXT}::text, ${NO_TEXT})
		where id = any(array(select id from old))
	`;
	return rows.count;
}
