import { transaction } from "../database/database.ts";
import { DomainError } from "../runtime/domain-error.ts";
import type { Logger } from "../runtime/log.ts";
import { type RetryLimits, retryDelay } from "../runtime/retry-delay.ts";
import { pause } from "../runtime/waiting.ts";
import {
	inSpan,
	isTracing,
	type Span,
	SpanKind,
	startBatchSpan,
} from "../tracing/spans.ts";
import { inHalves } from "../work/in-halves.ts";
import {
	type ConsumerOptions,
	countEvents,
	findFresh,
	openSeries,
	tryApply,
} from "./apply.ts";
import { insertDeadLetter } from "./dead-letters.ts";
import type { BusEvent, Subscription } from "./event-bus.ts";

/** Consumes topics with effect once: the event's id is recorded in the transaction of its effect. */
export async function startConsumer(
	options: ConsumerOptions,
): Promise<Subscription> {
	openSeries(options.metrics, options.group);
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
	await inHalves(events, async (some) => {
		const failure = await tryApply(options, [...some]);
		if (failure !== undefined && some.length > 1) return undefined;
		if (failure !== undefined)
			await settleAlone(options, [...some], failure.error);
		return some;
	});
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

export interface Delivery {
	readonly group: string;
	readonly events: BusEvent[];
	readonly onBatch: (events: BusEvent[]) => Promise<void>;
	readonly signal: AbortSignal;
	readonly log: Logger;
	readonly onFailure?: () => void;
}

const RETRY: RetryLimits = { firstMs: 100, longestMs: 5_000 };

/** Hands a batch over until it is accepted; returns false when the signal ended the tries. */
export async function deliver(delivery: Delivery): Promise<boolean> {
	for (let failures = 0; !delivery.signal.aborted; ) {
		try {
			await delivery.onBatch(delivery.events);
			return true;
		} catch (error) {
			failures++;
			delivery.onFailure?.();
			delivery.log.warn(
				{ err: error, group: delivery.group, failures },
				"event batch refused; it will be tried again",
			);
			await pause(retryDelay(failures, RETRY), delivery.signal);
		}
	}
	return false;
}
