import type { Db, Queryable } from "../../database/database.ts";
import type { Logger } from "../../runtime/log.ts";
import { type Loop, runLoop } from "../../runtime/loop.ts";
import { runSingleton } from "../../work/singleton.ts";
import {
	deliver,
	type GroupPosition,
	MAX_BATCH_EVENTS,
	type SubscribeOptions,
} from "../event-bus.ts";
import { findFirstBytes, type PositionedEvent } from "../event-rows.ts";
import { untilReached } from "../until-reached.ts";

export interface PostgresSubscription {
	readonly topics: ReadonlySet<string>;
	wake(): void;
	close(): Promise<void>;
}

interface PostgresSubscriptionContext {
	readonly sql: Db;
	readonly log: Logger;
	readonly signal: AbortSignal;
}

interface Reading extends PostgresSubscriptionContext {
	readonly options: SubscribeOptions;
	readonly signal: AbortSignal;
}

/** Longest pause after a look that found nothing, ms; a notification ends it. */
const POLL_MS = 1_000;

/** Stores where the group begins, and reads on from there; tries again while the database cannot be reached. */
export async function subscribeInPostgres(
	context: PostgresSubscriptionContext,
	options: SubscribeOptions,
): Promise<PostgresSubscription> {
	const start = await untilReached(context, () => subscribe(context, options));
	const closing = new AbortController();
	const signal = AbortSignal.any([context.signal, closing.signal]);
	const reading = { ...context, options, signal };
	const reads =
		options.ephemeral === true
			? startReads(reading, start)
			: readInTurn(reading);
	return {
		topics: new Set(options.topics),
		wake: reads.wake,
		close: async () => {
			closing.abort();
			await reads.done;
		},
	};
}

/** Returns where an ephemeral group begins; a durable one's offset is stored. */
async function subscribe(
	{ sql }: PostgresSubscriptionContext,
	{ group, topics, ephemeral }: SubscribeOptions,
): Promise<Offsets> {
	if (ephemeral === true) return findEnd(sql, topics);
	await insertOffsets(sql, group, topics);
	return new Map();
}

/** One member of a durable group reads at a time, the others wait for their turn: that keeps the order of a key. */
function readInTurn(reading: Reading): Loop {
	const { sql, log, signal, options } = reading;
	let reads: Loop | undefined;
	const done = runSingleton({
		sql,
		log,
		signal,
		name: `bus.group.${options.group}`,
		whileHeld: async (signal) => {
			const offsets = await findOffsets(sql, options.group, options.topics);
			reads = startReads({ ...reading, signal }, offsets);
			await reads.done;
			reads = undefined;
		},
	});
	return { wake: () => reads?.wake(), done };
}

function startReads(reading: Reading, start: Offsets): Loop {
	const { signal, log } = reading;
	let offsets = start;
	return runLoop({
		name: "event-bus.read",
		intervalMs: POLL_MS,
		lingerMs: reading.options.lingerMs,
		batchSize: MAX_BATCH_EVENTS,
		signal,
		log,
		runOnce: async () => {
			const read = await readOnce(reading, offsets);
			if (read === undefined) return 0;
			offsets = read.offsets;
			return read.count;
		},
	});
}

/** A crash before the offsets are stored delivers again. */
async function readOnce(
	{ sql, log, signal, options }: Reading,
	offsets: Offsets,
): Promise<{ offsets: Offsets; count: number } | undefined> {
	const { group, topics, onBatch, ephemeral } = options;
	const found = await findEvents(sql, offsets);
	const last = found.at(-1);
	if (last === undefined) return undefined;
	const events = found.map(({ event }) => event);
	if (!(await deliver({ group, events, onBatch, signal, log })))
		return undefined;
	const next = new Map(topics.map((topic) => [topic, last.position]));
	if (ephemeral !== true) await moveOffsets(sql, group, next);
	return { offsets: next, count: events.length };
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

type Offsets = ReadonlyMap<string, number>;

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

/** Events that the group has dealt with may be gone: then its position is the end. */
export async function findPositions(
	sql: Queryable,
	group: string,
	topics: readonly string[],
): Promise<GroupPosition[]> {
	return sql<GroupPosition[]>`
		select
			topic as part,
			coalesce(reached.position, 0) as reached,
			greatest(reached.position, newest.position, 0) as end
		from unnest(${[...topics]}::text[]) as wanted (topic)
		left join lateral (
			select position
			from group_positions
			where group_name = ${group}
			and group_positions.topic = wanted.topic
		) as reached on true
		left join lateral (
			select max(position) as position
			from events
			where events.topic = wanted.topic
		) as newest on true
	`;
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
