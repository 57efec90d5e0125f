import { type Db, type Tx, transaction } from "../database/database.ts";
import { isDatabaseTimeout } from "../database/sql-errors.ts";
import { isTransientError } from "../database/transient-error.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { fault } from "../runtime/fault.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import {
	inSpan,
	isTracing,
	type Span,
	SpanKind,
	startBatchSpan,
} from "../tracing/spans.ts";
import { inHalves } from "../work/micro-batcher.ts";
import { insertDeadLetter } from "./dead-letters.ts";
import type { BusEvent, EventBus, Subscription } from "./event-bus.ts";
import { insertInboxRows } from "./inbox.ts";

type AfterCommit = (effect: () => void) => void;

/** Makes the effect of events; all its writes go through `sql`. */
export type Apply = (
	sql: Tx,
	events: BusEvent[],
	afterCommit: AfterCommit,
) => Promise<void>;

export interface ConsumerOptions {
	readonly sql: Db;
	readonly bus: EventBus;
	readonly group: string;
	readonly topics: readonly string[];
	readonly log: Logger;
	readonly metrics: Metrics;
	/** Batches begin at least so far apart, ms: fewer and larger ones cost less. The bus's own without it. */
	readonly lingerMs?: number;
	/** False for an event that does not concern the group: it leaves no trace. */
	readonly concerns?: (event: BusEvent) => boolean;
	/** May run again for the same events when the transaction did not commit. A DomainError parks the event at fault. */
	readonly apply: Apply;
	/** True when `apply` itself ignores events that it has seen before: no inbox is written. */
	readonly appliesOnce?: boolean;
}

/** Consumes topics with effect once: the event's id is recorded in the transaction of its effect. */
export async function startConsumer(
	options: ConsumerOptions,
): Promise<Subscription> {
	openSeries(options.metrics, options.group);
	return options.bus.subscribe({
		group: options.group,
		topics: options.topics,
		lingerMs: options.lingerMs,
		onBatch: (events) => {
			const own = events.filter(concerning(options));
			const span = isTracing() ? startConsumeSpan(options, own) : undefined;
			return inSpan(span, () => consume(options, own));
		},
	});
}

function startConsumeSpan(
	{ group }: ConsumerOptions,
	events: readonly BusEvent[],
): Span | undefined {
	const parents = events.map(({ traceparent }) => traceparent);
	return startBatchSpan(`consume ${group}`, parents, {
		kind: SpanKind.CONSUMER,
	});
}

/** An event that cannot even be judged is kept, for its application will park it. */
function concerning({ concerns }: ConsumerOptions) {
	return (event: BusEvent): boolean => {
		try {
			return concerns?.(event) ?? true;
		} catch {
			return true;
		}
	};
}

async function consume(
	options: ConsumerOptions,
	events: BusEvent[],
): Promise<void> {
	if (events.length === 0) return;
	await inHalves(events, async (some) => {
		const failure = await tryApply(options, [...some]);
		if (failure !== undefined && some.length > 1) return undefined;
		if (failure !== undefined)
			await settleAlone(options, [...some], failure.error);
		return some;
	});
}

/** Returns the failure that may be one event's fault, or the length of the batch; throws any other. */
async function tryApply(
	options: ConsumerOptions,
	events: BusEvent[],
): Promise<{ error: unknown } | undefined> {
	try {
		await applyOnce(options, events);
		return undefined;
	} catch (error) {
		const tooLong = events.length > 1 && isDatabaseTimeout(error);
		if (isTransientError(error) && !tooLong) throw error;
		return { error };
	}
}

async function applyOnce(
	options: ConsumerOptions,
	events: BusEvent[],
): Promise<void> {
	const { sql, group, metrics, apply } = options;
	const endTimer = batchSeconds(metrics).startTimer({ group });
	const fresh = await committing(sql, async (sql, afterCommit) => {
		const fresh = await findFresh(sql, options, events);
		afterCommit(() => fault("consumer.after_commit"));
		if (fresh.length > 0) await apply(sql, fresh, afterCommit);
		return fresh.length;
	});
	endTimer();
	countEvents(metrics, group, "applied", fresh);
	countEvents(metrics, group, "repeated", events.length - fresh);
}

/** Runs `work` in a transaction, and after the commit what it left for then. */
export async function committing<T>(
	sql: Db,
	work: (sql: Tx, afterCommit: AfterCommit) => Promise<T>,
): Promise<T> {
	let effects: (() => void)[] = [];
	const result = await transaction(sql, (sql) => {
		effects = [];
		return work(sql, (effect) => effects.push(effect));
	});
	for (const effect of effects) effect();
	return result;
}

async function findFresh(
	sql: Tx,
	{ group, appliesOnce }: ConsumerOptions,
	events: BusEvent[],
): Promise<BusEvent[]> {
	const ids = events.map(({ id }) => id);
	if (appliesOnce === true) return firstOfEach(events, new Set(ids));
	return firstOfEach(events, await insertInboxRows(sql, group, ids));
}

function firstOfEach(
	events: readonly BusEvent[],
	fresh: ReadonlySet<string>,
): BusEvent[] {
	const left = new Set(fresh);
	return events.filter(({ id }) => left.delete(id));
}

const MAX_TRIES_ALONE = 3;

/** A refusal is final; any other failure might be chance. */
async function settleAlone(
	options: ConsumerOptions,
	events: BusEvent[],
	firstError: unknown,
): Promise<void> {
	let error = firstError;
	for (let tries = 1; tries < MAX_TRIES_ALONE; tries++) {
		if (error instanceof DomainError) break;
		const failure = await tryApply(options, events);
		if (failure === undefined) return;
		error = failure.error;
	}
	for (const event of events) await park(options, event, error);
}

async function park(
	options: ConsumerOptions,
	event: BusEvent,
	error: unknown,
): Promise<void> {
	const { sql, group, log, metrics } = options;
	const { id, topic } = event;
	await transaction(sql, async (sql) => {
		const fresh = await findFresh(sql, options, [event]);
		if (fresh.length > 0) await insertDeadLetter(sql, group, event, error);
	});
	log.error({ err: error, group, topic, eventId: id }, "event parked");
	countEvents(metrics, group, "parked", 1);
}

const OUTCOMES = ["applied", "repeated", "parked"] as const;

/** Makes the series of a group before its first event. */
function openSeries(metrics: Metrics, group: string): void {
	batchSeconds(metrics).zero({ group });
	for (const outcome of OUTCOMES) countEvents(metrics, group, outcome, 0);
}

function batchSeconds(metrics: Metrics) {
	return metrics.histogram(
		"consumer_batch_seconds",
		"Time until a batch of events is applied and committed.",
		["group"],
	);
}

function countEvents(
	metrics: Metrics,
	group: string,
	outcome: (typeof OUTCOMES)[number],
	events: number,
): void {
	metrics
		.counter(
			"consumer_events_total",
			"Events that the consumers have dealt with.",
			["group", "outcome"],
		)
		.inc({ group, outcome }, events);
}
