import { setImmediate } from "node:timers/promises";
import type { Tx } from "@airtower/platform/database/database";
import { startConsumer } from "@airtower/platform/events/consumer";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { fault } from "@airtower/platform/runtime/fault";
import { pause } from "@airtower/platform/runtime/loop";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { topics } from "@airtower/proto/rules/topics";
import type { WebhooksContext } from "../context.ts";
import {
	insertDeliveries,
	type NewDelivery,
	type Target,
} from "../store/deliveries.ts";
import { findSubscriptions } from "../store/endpoints.ts";
import { insertEvents, type NewEvent } from "../store/events.ts";
import { readOutcome } from "./read-outcome.ts";

/** Consumer group of this service. */
export const GROUP = "webhooks";
export const OUTCOME_TOPICS = [topics.messagingOutcome, topics.whatsappOutcome];

/** Wait before the bus is asked again for outcomes, ms. */
const RESUBSCRIBE_MS = 2_000;
/** Organizations whose last targets are remembered between a transaction and its commit. */
const MAX_REMEMBERED = 10_000;

/**
 * Turns message outcomes into deliveries, from the moment the bus can be reached; a batch's events
 * and deliveries commit with its inbox records, and the sender is woken right after. It does not wait
 * for the bus: what is queued already goes out without it, and a new group begins with what the bus holds.
 */
export function startOutcomeConsumer(
	ctx: WebhooksContext,
	bus: EventBus,
	metrics: Metrics,
): Subscription {
	const intake = createIntake(ctx);
	const stop = new AbortController();
	const subscribed = untilSubscribed(ctx, stop.signal, () =>
		startConsumer({
			sql: ctx.sql,
			bus: afterEachBatch(bus, intake.committed),
			group: GROUP,
			topics: OUTCOME_TOPICS,
			log: ctx.log,
			metrics,
			apply: intake.apply,
		}),
	);
	return {
		close: async () => {
			stop.abort();
			const subscription = await Promise.race([subscribed, setImmediate()]);
			await subscription?.close();
		},
	};
}

async function untilSubscribed(
	{ log }: WebhooksContext,
	signal: AbortSignal,
	subscribe: () => Promise<Subscription>,
): Promise<Subscription | undefined> {
	while (!signal.aborted) {
		try {
			return await subscribe();
		} catch (error) {
			if (signal.aborted) return undefined;
			log.error({ err: error }, "no message outcomes: the bus refuses");
			await pause(RESUBSCRIBE_MS, signal);
		}
	}
	return undefined;
}

/** What a batch does to the database, and what follows its commit. */
export function createIntake(ctx: WebhooksContext) {
	const targets = new Map<string, Target[]>();

	function remember(queued: readonly Target[]): void {
		if (targets.size > MAX_REMEMBERED) targets.clear();
		const byEndpoint = new Map(
			queued.map((target) => [target.endpointId, target]),
		);
		const groups = Map.groupBy(
			byEndpoint.values(),
			(target) => target.organizationId,
		);
		for (const [organizationId, group] of groups)
			targets.set(organizationId, group);
	}

	return {
		apply: async (sql: Tx, events: readonly BusEvent[]): Promise<void> => {
			const createdAt = ctx.clock();
			const fresh = events.map((event) => readOutcome(event, createdAt));
			const deliveries = await deliveriesOf(sql, fresh);
			if (deliveries.length === 0) return;
			const wanted = new Set(deliveries.map((delivery) => delivery.eventId));
			await Promise.all([
				insertEvents(
					sql,
					fresh.filter((event) => wanted.has(event.id)),
				),
				insertDeliveries(sql, deliveries),
			]);
			remember(deliveries);
		},
		committed: (events: readonly BusEvent[]): void => {
			fault("webhooks.after_inbox_commit");
			const owners = new Set(events.map((event) => event.organizationId));
			for (const id of owners) ctx.lanes.announce(targets.get(id) ?? []);
			ctx.wakeSender();
		},
	};
}

/** One delivery per event and active endpoint of its organization that subscribes to its kind. */
async function deliveriesOf(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<NewDelivery[]> {
	const owners = new Set(events.map((event) => event.organizationId));
	const subscriptions = Map.groupBy(
		await findSubscriptions(sql, [...owners]),
		(subscription) => subscription.organizationId,
	);
	return events.flatMap(({ id, organizationId, type }) =>
		(subscriptions.get(organizationId) ?? [])
			.filter(({ subscribedEvents }) => subscribedEvents.includes(type))
			.map(({ endpointId }) => ({ eventId: id, endpointId, organizationId })),
	);
}

function afterEachBatch(
	bus: EventBus,
	committed: (events: readonly BusEvent[]) => void,
): EventBus {
	return {
		publish: (events) => bus.publish(events),
		ensureTopics: (names) => bus.ensureTopics(names),
		health: () => bus.health(),
		close: () => bus.close(),
		subscribe: (options) =>
			bus.subscribe({
				...options,
				onBatch: async (events) => {
					await options.onBatch(events);
					committed(events);
				},
			}),
	};
}
