import type { Queryable } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import type { BusEvent } from "@airtower/platform/events/event-bus";
import { appendingToOutbox } from "@airtower/platform/events/outbox";
import type { Lane } from "../domain/lanes.ts";

export interface NewMessage {
	readonly id: string;
	readonly organizationId: string;
	readonly recipient: string;
	readonly body: string;
	readonly senderId: string;
	readonly senderValue: string;
	readonly clientReference: string | null;
	readonly campaignId: string | null;
	readonly segments: number;
	readonly lane: Lane;
	readonly concatReference: number;
	readonly route: string;
	/** Version of the rules that chose the route; null before there were any. */
	readonly rulesVersion: number | null;
	/** Null for an ordinary message. */
	readonly messageClass: string | null;
	/** When it is to be sent; null: at once. */
	readonly sendAt: Date | null;
	/** Undefined for a message that is not traced. */
	readonly traceparent?: string | undefined;
}

const MESSAGE = {
	id: "uuid",
	organizationId: "uuid",
	recipient: "text",
	body: "text",
	senderId: "uuid",
	senderValue: "text",
	clientReference: "text",
	campaignId: "uuid",
	segments: "smallint",
	lane: "smallint",
	concatReference: "smallint",
	route: "text",
	rulesVersion: "integer",
	messageClass: "text",
	sendAt: "timestamptz",
	traceparent: "text",
} as const;

/** Between which times rows may be inserted, and for how long their messages may be sent. */
export interface InsertTimes {
	readonly notBefore: Date;
	readonly deadline: Date;
	readonly validityMs: number;
}

/**
 * Stores messages and the events that tell of them. Returns how many: all, or none once the deadline has passed, when
 * the clock was set back meanwhile, or when one of the routes was removed; a removal waits for this.
 */
export async function insertMessages(
	sql: Queryable,
	messages: readonly NewMessage[],
	events: readonly BusEvent[],
	{ notBefore, deadline, validityMs }: InsertTimes,
): Promise<number> {
	const routes = [...new Set(messages.map(({ route }) => route))];
	const isAnyLater = messages.some(({ sendAt }) => sendAt !== null);
	const [inserted] = await sql<[{ count: number }]>`
		with locked_routes as materialized (
			select state
			from routes
			where code = any(${routes})
			for key share
		),
		stored as (
			insert into messages (${toColumnList(sql, MESSAGE)})
			select *
			from ${unnest(sql, messages, MESSAGE)}
			where statement_timestamp() >= ${notBefore}
			and statement_timestamp() < ${deadline}
			and not exists (
				select
				from locked_routes
				where state = 'removed'
			)
			returning id, organization_id, route, segments, lane, send_at
		),
		${isAnyLater ? scheduled(sql) : sql``}
		told as (
			${appendingToOutbox(sql, events, sql`exists (select from stored)`)}
		),
		queued as (
			insert into dispatch (message_id, organization_id, route, segments, lane, expires_at)
			select
				id,
				organization_id,
				route,
				segments,
				lane,
				now() + ${validityMs} * interval '1 millisecond'
			from stored
			where send_at is null
		)
		select count(*) as count
		from stored
	`;
	return inserted.count;
}

const scheduled = (sql: Queryable) => sql`
	scheduled as (
		insert into scheduled_messages (message_id, organization_id, route, segments, due_at)
		select id, organization_id, route, segments, send_at
		from stored
		where send_at is not null
	),
`;

interface IdRange {
	readonly first: string;
	readonly last: string;
}

/** The lowest and the highest id of a batch, which tell the planner its partitions. */
export function idRange(ids: readonly string[]): IdRange {
	let first = ids[0] ?? "";
	let last = first;
	for (const id of ids) {
		if (id < first) first = id;
		else if (id > last) last = id;
	}
	return { first, last };
}
