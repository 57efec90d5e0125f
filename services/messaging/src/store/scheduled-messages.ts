import { byIndex } from "@airtower/platform/database/by-index";
import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { Lane } from "../domain/lanes.ts";
import type { RoutedMessage } from "../domain/routing/other-route.ts";
import { lockRemoved } from "./routes/routes.ts";

interface DueMessage extends RoutedMessage {
	/** As it was chosen when the message was accepted. */
	readonly route: string;
	readonly lane: Lane;
}

/** Locks the messages whose time has come, the earliest first; what others hold is passed over. */
export async function lockDueScheduled(
	sql: Tx,
	limit: number,
): Promise<DueMessage[]> {
	return byIndex(
		sql,
		(sql) => sql<DueMessage[]>`
		select
			message_id as "messageId",
			scheduled.organization_id as "organizationId",
			scheduled.route,
			lane,
			recipient,
			sender_value as "senderValue"
		from (
			select *
			from scheduled_messages
			where due_at <= now()
			order by due_at
			limit ${limit}
			for update skip locked
		) as scheduled
		join messages on messages.id = message_id
	`,
	);
}

interface NextRoute {
	/** Of the message. */
	readonly id: string;
	readonly route: string;
	readonly lane: Lane;
}

/**
 * Moves scheduled messages to the queue of their routes; returns their ids. One whose new route was removed at this
 * moment stays; a removal waits for this.
 */
export async function stageMessages(
	sql: Tx,
	messages: readonly NextRoute[],
	validityMs: number,
): Promise<string[]> {
	const ids = messages.map(({ id }) => id);
	const routes = [...new Set(messages.map(({ route }) => route))];
	const staged = await sql<{ id: string }[]>`
		with removed as materialized (${lockRemoved(sql, routes)}),
		due as (
			delete from scheduled_messages as scheduled
			using ${unnest(sql, messages, { id: "uuid", route: "text", lane: "smallint" })}
			where scheduled.message_id = given.id
			and scheduled.message_id = any(${ids}::uuid[])
			and (given.route = scheduled.route or given.route not in (table removed))
			returning scheduled.*, given.route as next_route, lane
		)
		insert into dispatch (message_id, organization_id, route, segments, lane, due_at, send_at, expires_at)
		select
			message_id,
			organization_id,
			next_route,
			segments,
			lane,
			due_at,
			due_at,
			due_at + ${validityMs} * interval '1 millisecond'
		from due
		returning message_id as id
	`;
	return staged.map(({ id }) => id);
}

/** Takes a message out of the schedule; false when it is not there. */
export async function deleteScheduled(
	sql: Tx,
	organizationId: string,
	messageId: string,
): Promise<boolean> {
	const deleted = await sql`
		delete from scheduled_messages
		where message_id = ${messageId}
		and organization_id = ${organizationId}
	`;
	return deleted.count > 0;
}
