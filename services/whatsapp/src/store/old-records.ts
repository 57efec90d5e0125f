import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";

/** Deletes messages that were made before a moment, but those that are under way; returns how many. */
export async function deleteOldMessages(
	sql: Queryable,
	before: Date,
	limit: number,
): Promise<number> {
	const deleted = await byIndex(
		sql,
		(sql) => sql`
		delete from messages
		where id in (
			select id
			from messages
			where id < ${firstIdAt(before)}
			and status not in ('accepted', 'unknown')
			order by id
			limit ${limit}
			for update skip locked
		)
		returning id
	`,
	);
	return deleted.length;
}

/** Deletes conversations whose last message came in a week that was over before a moment; returns how many. */
export async function deleteOldConversations(
	sql: Queryable,
	before: Date,
	limit: number,
): Promise<number> {
	const deleted = await byIndex(
		sql,
		(sql) => sql`
		delete from conversations
		where id in (
			select id
			from conversations
			where last_message_week < date_trunc('week', ${before}::timestamptz at time zone 'UTC')::date
			order by last_message_week
			limit ${limit}
			for update skip locked
		)
		returning id
	`,
	);
	return deleted.length;
}
