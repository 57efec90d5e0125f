import type { Queryable, Tx } from "../database/database.ts";
import { assertPublishable, type BusEvent } from "./event-bus.ts";
import {
	eventColumns,
	eventTable,
	findFirstBytes,
	type PositionedEvent,
} from "./event-rows.ts";

const MAX_COUNTED = 1_000_000;

/** Call it after the change that it reports: the row lock on what changed keeps the events of one key in order. */
export async function appendToOutbox(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	if (events.length === 0) return;
	assertPublishable(events);
	await sql`
		insert into outbox (${eventColumns(sql)})
		select ${eventColumns(sql)}
		from ${eventTable(sql, events)}
		order by ordinal
	`;
}

export function findOutboxEntries(
	sql: Queryable,
	limit: number,
): Promise<PositionedEvent[]> {
	return findFirstBytes(
		sql,
		sql`
			select *
			from outbox
			order by position
			limit ${limit}
		`,
	);
}

/** By position, never by range: a transaction that took a lower position may commit later. */
export async function deleteOutboxEntries(
	sql: Queryable,
	positions: readonly number[],
): Promise<void> {
	await sql`
		delete from outbox
		where position = any(${positions}::bigint[])
	`;
}

/** How many events wait (counted up to a million), and for how long the oldest has, in seconds. */
export async function outboxDepth(
	sql: Queryable,
): Promise<{ depth: number; lagSeconds: number }> {
	const [row] = await sql<{ depth: number; lagSeconds: number }[]>`
		select
			(
				select count(*)
				from (select from outbox limit ${MAX_COUNTED}) as waiting
			) as depth,
			coalesce(
				(
					select extract(epoch from now() - created_at)
					from outbox
					order by position
					limit 1
				),
				0
			)::float8 as "lagSeconds"
	`;
	return row ?? { depth: 0, lagSeconds: 0 };
}
