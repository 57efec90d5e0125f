import type { Queryable, Tx } from "../../database/database.ts";
import { type BusEvent, MAX_BATCH_EVENTS } from "../event-bus.ts";
import {
	type EventRow,
	eventColumns,
	eventTable,
	selectEvent,
	toEvent,
} from "../event-rows.ts";

/** An event that waits for a group. */
export interface BusRecord {
	readonly position: number;
	readonly event: BusEvent;
}

/** Holds the events of topics that no durable group has subscribed to yet. */
const NOBODY = "";
/** Payload bytes of one claim, besides the last event's. */
const MAX_CLAIM_BYTES = 8_000_000;

/** Stores one row per event and group; an event without a durable group is kept for the first to come. */
export async function insertRecords(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	const topics = [...new Set(events.map(({ topic }) => topic))];
	await sql`
		with targets as (
			select topic, group_name
			from subscriptions
			where topic = any(${topics}::text[])
			union all
			select topic, ${NOBODY}
			from unnest(${topics}::text[]) as published (topic)
			where not exists (
				select
				from subscriptions
				where subscriptions.topic = published.topic
				and not ephemeral
			)
		)
		insert into records (group_name, ${eventColumns(sql)})
		select group_name, ${eventColumns(sql)}
		from ${eventTable(sql, events)}
		join targets using (topic)
		order by ordinal, group_name
	`;
}

/** The group's oldest records of its topics: one batch, and about 8 MB at most. */
export async function findRecords(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<BusRecord[]> {
	const rows = await sql<(EventRow & { position: number })[]>`
		select position, ${selectEvent(sql)}
		from (
			select *, sum(octet_length(payload)) over (order by position) as bytes
			from (
				select *
				from records
				where group_name = ${group}
				and topic = any(${topics}::text[])
				order by position
				limit ${MAX_BATCH_EVENTS}
			) as oldest
		) as measured
		where bytes - octet_length(payload) < ${MAX_CLAIM_BYTES}
		order by position
	`;
	return rows.map((row) => ({ position: row.position, event: toEvent(row) }));
}

export async function deleteRecords(
	sql: Queryable,
	positions: readonly number[],
): Promise<void> {
	await sql`
		delete from records
		where position = any(${positions}::bigint[])
	`;
}

/** Gives the group what was published before any durable group had subscribed. */
export async function adoptRecords(
	sql: Tx,
	group: string,
	topics: readonly string[],
): Promise<void> {
	await sql`
		update records
		set group_name = ${group}
		where group_name = ${NOBODY}
		and topic = any(${topics}::text[])
	`;
}

export async function deleteGroupRecords(
	sql: Tx,
	groups: readonly string[],
): Promise<void> {
	await sql`
		delete from records
		where group_name = any(${groups}::text[])
	`;
}

/** Deletes what no group has come for. */
export async function deleteUnclaimedRecords(
	sql: Queryable,
	olderThanMs: number,
): Promise<number> {
	const rows = await sql`
		delete from records
		where group_name = ${NOBODY}
		and published_at < now() - ${olderThanMs} * interval '1 millisecond'
	`;
	return rows.count;
}
