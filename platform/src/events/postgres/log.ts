import type { Db, Queryable } from "../../database/database.ts";
import { type BusEvent, MAX_BATCH_EVENTS } from "../event-bus.ts";
import {
	eventColumns,
	eventTable,
	findFirstBytes,
	type PositionedEvent,
} from "../event-rows.ts";

/** Events that every durable group has dealt with are kept so long for the ephemeral ones, ms. */
const KEPT_MS = 60_000;
/** Events of a topic without a durable group are kept so long for the first to come, ms. */
const UNCLAIMED_KEPT_MS = 24 * 3_600_000;

/**
 * One publisher at a time: a reader that has seen a position finds nothing new below it. One statement, so that a
 * publisher that stands still keeps no lock.
 */
export async function appendEvents(
	sql: Db,
	events: readonly BusEvent[],
): Promise<void> {
	await sql`
		with order_lock as materialized (
			select pg_advisory_xact_lock(hashtext(current_schema()), hashtext('bus.log'))
		)
		insert into events (${eventColumns(sql)})
		select ${eventColumns(sql)}
		from order_lock
		cross join ${eventTable(sql, events)}
		order by ordinal
	`;
}

export function findEvents(
	sql: Queryable,
	offsets: Offsets,
): Promise<PositionedEvent[]> {
	return findFirstBytes(
		sql,
		sql`
			select next.*
			from unnest(${[...offsets.keys()]}::text[], ${[...offsets.values()]}::bigint[]) as reached (topic, position)
			cross join lateral (
				select *
				from events
				where events.topic = reached.topic
				and events.position > reached.position
				order by events.position
				limit ${MAX_BATCH_EVENTS}
			) as next
			order by next.position
			limit ${MAX_BATCH_EVENTS}
		`,
	);
}

export async function findEnd(
	sql: Queryable,
	topics: readonly string[],
): Promise<Offsets> {
	const [row] = await sql<[{ last: number }]>`
		select coalesce(pg_sequence_last_value(pg_get_serial_sequence('events', 'position')), 0) as last
	`;
	return new Map(topics.map((topic) => [topic, row.last]));
}

export async function deleteOldEvents(
	sql: Queryable,
	limit: number,
): Promise<number> {
	const rows = await sql`
		with followed as (
			select topic, min(position) as position
			from group_positions
			group by topic
		)
		delete from events
		where ctid = any(array(
			select events.ctid
			from events
			left join followed using (topic)
			where case
				when followed.topic is null
				then published_at < ${ago(sql, UNCLAIMED_KEPT_MS)}
				else events.position <= followed.position and published_at < ${ago(sql, KEPT_MS)}
			end
			order by events.position
			limit ${limit}
			for update of events skip locked
		))
	`;
	return rows.count;
}

function ago(sql: Queryable, ms: number) {
	return sql`now() - ${ms} * interval '1 millisecond'`;
}

export type Offsets = ReadonlyMap<string, number>;

export async function insertOffsets(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<void> {
	await sql`
		insert into group_positions (group_name, topic, position)
		select ${group}, topic, 0
		from unnest(${topics}::text[]) as topic
		on conflict do nothing
	`;
}

export async function findOffsets(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<Offsets> {
	const rows = await sql<{ topic: string; position: number }[]>`
		select topic, position
		from group_positions
		where group_name = ${group}
		and topic = any(${topics}::text[])
	`;
	return new Map(rows.map(({ topic, position }) => [topic, position]));
}

/** Never back, should two members claim for a moment. */
export async function moveOffsets(
	sql: Queryable,
	group: string,
	offsets: Offsets,
): Promise<void> {
	await sql`
		update group_positions
		set position = greatest(group_positions.position, moved.position)
		from unnest(${[...offsets.keys()]}::text[], ${[...offsets.values()]}::bigint[]) as moved (topic, position)
		where group_positions.group_name = ${group}
		and group_positions.topic = moved.topic
	`;
}
