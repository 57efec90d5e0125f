import { type Db, type Tx, transaction } from "../database/database.ts";
import { isDatabaseTimeout } from "../database/sql-errors.ts";
import { DomainError } from "../runtime/domain-error.ts";
import { fault } from "../runtime/fault.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import { isTransientError } from "../runtime/transient-error.ts";
import {
	inSpan,
	isTracing,
	type Span,
	SpanKind,
	startBatchSpan,
} from "../tracing/spans.ts";
import { type Apply, committing } from "./apply.ts";
import { insertDeadLetter } from "./dead-letters.ts";
import type { BusEvent, EventBus, Subscription } from "./event-bus.ts";
import { insertInboxRows } from "./inbox.ts";

export interface ConsumerOptions {
	readonly sql: Db;
	readonly bus: EventBus;
	readonly group: string;
	readonly topics: readonly string[];
	readonly log: Logger;
	readonly metrics: Metrics;
	/** False for an event that does not concern the group: it leaves no trace. */
	readonly concerns?: (event: BusEvent) => boolean;
	/** May run again for the same events when the transaction did not commit. A DomainError parks the event at fault. */
	readonly apply: Apply;
	/** True when `apply` itself ignores events that it has seen before: no inbox is written. */
	readonly appliesOnce?: boolean;
}

const MAX_TRIES_ALONE = 3;

/** Consumes topics with effect once: the event's id is recorded in the transaction of its effect. */
export async function startConsumer(
	options: ConsumerOptions,
): Promise<Subscription> {
	return options.bus.subscribe({
		group: options.group,
		topics: options.topics,
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
	const failure = await tryApply(options, events);
	if (failure === undefined) return;
	if (events.length === 1) return settleAlone(options, events, failure.error);
	const middle = Math.ceil(events.length / 2);
	await consume(options, events.slice(0, middle));
	await consume(options, events.slice(middle));
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
	const endTimer = metrics
		.histogram(
			"consumer_batch_seconds",
			"Time until a batch of events is applied and committed.",
			["group"],
		)
		.startTimer({ group });
	const fresh = await committing(sql, async (sql, afterCommit) => {
		const fresh = await findFresh(sql, options, events);
		afterCommit(() => fault("consumer.after_commit"));
		if (fresh.length > 0) await apply(sql, fresh, afterCommit);
		return fresh.length;
	});
	endTimer();
	count(metrics, group, "applied", fresh);
	count(metrics, group, "repeated", events.length - fresh);
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
	count(metrics, group, "parked", 1);
}

function count(
	metrics: Metrics,
	group: string,
	outcome: "applied" | "repeated" | "parked",
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
