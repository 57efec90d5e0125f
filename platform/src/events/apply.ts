import { type Db, type Tx, transaction } from "../database/database.ts";
import { isDatabaseTimeout } from "../database/sql-errors.ts";
import { isTransientError } from "../database/transient-error.ts";
import { fault } from "../runtime/fault.ts";
import type { Logger } from "../runtime/log.ts";
import type { Metrics } from "../runtime/metrics.ts";
import type { BusEvent, EventBus } from "./event-bus.ts";
import { insertInboxRows } from "./inbox.ts";

type AfterCommit = (effect: () => void) => void;

/** Makes the effect of events; all its writes go through `sql`. */
export type Apply = (
	sql: Tx,
	events: BusEvent[],
	afterCommit: AfterCommit,
) => Promise<void>;

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

/** Returns the failure that may be one event's fault, or the length of the batch; throws any other. */
export async function tryApply(
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

export async function findFresh(
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

const OUTCOMES = ["applied", "repeated", "parked"] as const;

/** Makes the series of a group before its first event. */
export function openSeries(metrics: Metrics, group: string): void {
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

export function countEvents(
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
