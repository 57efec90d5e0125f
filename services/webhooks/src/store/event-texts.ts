import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";

/** A string in JSON, quotes included. */
export const JSON_STRING = String.raw`"(?:[^"\\]|\\.)*"`;
const TEXT = `"text":${JSON_STRING}`;
const NO_TEXT = '"text":""';

/**
 * Blanks the next texts that are older than their organization keeps them, of each the oldest first; returns how many.
 * One that an endpoint still waits for stays until its delivery is over. Texts are looked for by organization: those of
 * one that keeps them for longer are not read again and again to find another's.
 * @param days for organizations without a time of their own
 */
export async function blankOldTexts(
	sql: Queryable,
	days: number,
	limit: number,
): Promise<number> {
	const rows = await byIndex(
		sql,
		(sql) => sql`
		with recursive owners as (
			(
				select organization_id
				from events
				where ${hasText(sql)}
				order by organization_id
				limit 1
			)
			union all
			select next.organization_id
			from owners
			cross join lateral (
				select organization_id
				from events
				where ${hasText(sql)}
				and organization_id > owners.organization_id
				order by organization_id
				limit 1
			) as next
		),
		old as materialized (
			select event.id
			from owners
			left join retention using (organization_id)
			cross join lateral (
				select id
				from events
				where organization_id = owners.organization_id
				and ${hasText(sql)}
				and created_at < now() - interval '1 day' * coalesce(body_days, ${days}::integer)
				and (
					select event_id
					from delivery_queue
					where event_id = events.id
					limit 1
				) is null
				order by created_at
				limit ${limit}
				for update skip locked
			) as event
			limit ${limit}
		)
		update events
		set body = regexp_replace(body, ${TEXT}::text, ${NO_TEXT})
		where id = any(array(select id from old))
		returning id
	`,
	);
	return rows.length;
}

/** The condition of the index of events that have a text. */
const hasText = (sql: Queryable) => sql`
	type = 'message.received'
	and position('"text":""' in body) = 0
`;
