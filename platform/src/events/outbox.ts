import type postgres from "postgres";
import type { Db, Queryable, Tx } from "../database/database.ts";
import { fault } from "../runtime/fault.ts";
import type { Logger } from "../runtime/log.ts";
import { BACKGROUND_LINGER_MS, type Loop, runLoop } from "../runtime/loop.ts";
import type { Metrics } from "../runtime/metrics.ts";
import {
	inSpan,
	isTracing,
	type Span,
	SpanKind,
	startBatchSpan,
} from "../tracing/spans.ts";
import { runSingleton } from "../work/singleton.ts";
import {
	assertPublishable,
	type BusEvent,
	type EventBus,
} from "./event-bus.ts";
import {
	eventColumns,
	eventTable,
	findFirstBytes,
	type PositionedEvent,
} from "./event-rows.ts";

const BATCH_SIZE = 500;
const POLL_MS = 250;
const MEASURE_MS = 5_000;

const MAX_COUNTED = 1_000_000;

/** Call it after the change that it reports: the row lock on what changed keeps the events of one key in order. */
export async function appendToOutbox(
	sql: Tx,
	events: readonly BusEvent[],
): Promise<void> {
	if (events.length === 0) return;
	await sql`${appendingToOutbox(sql, events, sql`true`)}`;
}

/** The same as a part of a statement that does more, where a condition of it holds. */
export function appendingToOutbox(
	sql: Queryable,
	events: readonly BusEvent[],
	condition: postgres.Fragment,
): postgres.Fragment {
	assertPublishable(events);
	return sql`
		insert into outbox (${eventColumns(sql)})
		select ${eventColumns(sql)}
		from ${eventTable(sql, events)}
		where ${condition}
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

interface RelayOptions {
	readonly sql: Db;
	readonly bus: EventBus;
	readonly log: Logger;
	readonly metrics: Metrics;
	readonly signal: AbortSignal;
}

/** Publishes the outbox in its order, from one process at a time. A crash publishes again, never loses. */
export function startRelay(options: RelayOptions): Loop {
	let loop: Loop | undefined;
	publishMetrics(options.metrics);
	const done = runSingleton({
		sql: options.sql,
		name: "outbox.relay",
		signal: options.signal,
		log: options.log,
		whileHeld: async (signal) => {
			loop = runLoop({
				name: "outbox.relay",
				intervalMs: POLL_MS,
				lingerMs: BACKGROUND_LINGER_MS,
				batchSize: BATCH_SIZE,
				signal,
				log: options.log,
				runOnce: () => relayOnce(options),
			});
			await Promise.all([loop.done, measure(options, signal)]);
			loop = undefined;
		},
	});
	return { wake: () => loop?.wake(), done };
}

export async function relayOnce(
	options: Pick<RelayOptions, "sql" | "bus" | "metrics">,
): Promise<number> {
	const { sql, bus, metrics } = options;
	const entries = await findOutboxEntries(sql, BATCH_SIZE);
	if (entries.length === 0) return 0;
	const { published, seconds } = publishMetrics(metrics);
	const endTimer = seconds.startTimer();
	const events = entries.map(({ event }) => event);
	const span = isTracing() ? startPublishSpan(events) : undefined;
	await inSpan(span, () => bus.publish(events));
	endTimer();
	fault("relay.after_publish");
	await deleteOutboxEntries(
		sql,
		entries.map(({ position }) => position),
	);
	published.inc(entries.length);
	return entries.length;
}

function publishMetrics(metrics: Metrics) {
	return {
		published: metrics.counter(
			"outbox_published_total",
			"Events published from the outbox.",
		),
		seconds: metrics.histogram(
			"outbox_publish_seconds",
			"Time until the bus has a batch.",
		),
	};
}

function startPublishSpan(events: readonly BusEvent[]): Span | undefined {
	const parents = events.map(({ traceparent }) => traceparent);
	return startBatchSpan("outbox publish", parents, { kind: SpanKind.PRODUCER });
}

async function measure(
	{ sql, log, metrics }: RelayOptions,
	signal: AbortSignal,
): Promise<void> {
	const depthGauge = metrics.gauge("outbox_depth", "Events that wait.");
	const lagGauge = metrics.gauge(
		"outbox_lag_seconds",
		"Age of the oldest event that waits.",
	);
	await runLoop({
		name: "outbox.measure",
		intervalMs: MEASURE_MS,
		signal,
		log,
		runOnce: async () => {
			const { depth, lagSeconds } = await outboxDepth(sql);
			depthGauge.set(depth);
			lagGauge.set(lagSeconds);
			return 0;
		},
	}).done;
	depthGauge.set(0);
	lagGauge.set(0);
}
