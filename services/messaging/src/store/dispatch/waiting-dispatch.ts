import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable } from "@airtower/platform/database/database";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import type { RoutedMessage } from "../../domain/routing/other-route.ts";
import { claimable } from "./dispatch-claims.ts";

/** A place in the queue of a route: the order of its index, and of ids where several messages are due at once. */
export interface QueuePlace {
	readonly organizationId: string;
	/** As the database writes it. */
	readonly due: string;
	readonly messageId: string;
}

export const QUEUE_START: QueuePlace = {
	organizationId: LOWEST_ID,
	due: "-infinity",
	messageId: LOWEST_ID,
};

export interface WaitingMessage extends RoutedMessage, QueuePlace {
	/** Routes that refused it since it waited last; null where none did. */
	readonly triedRoutes: readonly string[] | null;
}

interface WaitingOptions {
	readonly route: string;
	readonly after: QueuePlace;
	/** Only those that are due for so long; null: all. */
	readonly overdueMs: number | null;
	/** Whether messages count that were sent without a response before, and may go again now. */
	readonly withUnknown: boolean;
	readonly limit: number;
}

/** Messages of a route that may be moved: nobody holds them, and no operator has any part of them. */
export async function findWaiting(
	sql: Queryable,
	{ route, after, overdueMs, withUnknown, limit }: WaitingOptions,
): Promise<WaitingMessage[]> {
	const { organizationId, due, messageId } = after;
	return byIndex(
		sql,
		(sql) => sql<WaitingMessage[]>`
		select
			waiting.message_id as "messageId",
			waiting.organization_id as "organizationId",
			waiting.due_at::text as due,
			tried_routes as "triedRoutes",
			recipient,
			sender_value as "senderValue"
		from (
			select message_id, organization_id, due_at, tried_routes
			from dispatch
			where route = ${route}
			and (organization_id, due_at, message_id) > (${organizationId}::uuid, ${due}::text::timestamptz, ${messageId}::uuid)
			and due_at <= coalesce(now() - ${overdueMs}::float8 * interval '1 millisecond', 'infinity')
			and token is null
			and ${mayMove(sql, withUnknown)}
			order by organization_id, due_at, message_id
			limit ${limit}
		) as waiting
		join messages on messages.id = waiting.message_id
		order by waiting.organization_id, waiting.due_at, waiting.message_id
	`,
		{ maySort: false },
	);
}

/** Those of these routes at which a message may be claimed that has been due for so long, ms. */
export async function findRoutesBehind(
	sql: Queryable,
	routes: readonly string[],
	overdueMs: number,
): Promise<string[]> {
	const behind = await byIndex(
		sql,
		(sql) => sql<{ route: string }[]>`
		select route
		from unnest(${[...routes]}::text[]) as wanted (route)
		where exists (
			select
			from dispatch
			where dispatch.route = wanted.route
			and due_at <= now() - ${overdueMs}::float8 * interval '1 millisecond'
			and token is null
			${claimable(sql, sql`organization_id`)}
		)
	`,
	);
	return behind.map(({ route }) => route);
}

/** Those of these messages that wait, and of which no operator has any part. */
export async function findWithoutParts(
	sql: Queryable,
	messageIds: readonly string[],
): Promise<(RoutedMessage & { readonly route: string })[]> {
	return sql<(RoutedMessage & { readonly route: string })[]>`
		select
			message_id as "messageId",
			dispatch.organization_id as "organizationId",
			dispatch.route,
			recipient,
			sender_value as "senderValue"
		from dispatch
		join messages on messages.id = message_id
		where message_id = any(${[...messageIds]}::uuid[])
		and ${hasNoParts(sql)}
	`;
}

const mayMove = (sql: Queryable, withUnknown: boolean) => sql`
	${withUnknown ? sql`(not unknown or may_repeat)` : sql`not unknown and not resent`}
	and ${hasNoParts(sql)}
`;

/** Of a row of `dispatch`. */
export const hasNoParts = (sql: Queryable) => sql`(
	attempt = unsent
	or not exists (
		select
		from parts
		where parts.message_id = dispatch.message_id
	)
)`;
