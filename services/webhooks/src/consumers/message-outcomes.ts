import { startConsumer } from "@airtower/platform/consumer";
import type { Tx } from "@airtower/platform/database";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/event-bus";
import { fault } from "@airtower/platform/fault";
import type { Metrics } from "@airtower/platform/metrics";
import { topics } from "@airtower/platform/topics";
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

/** Organizations whose last targets are remembered between a transaction and its commit. */
const MAX_REMEMBERED = 10_000;

/**
 * Starts turning message outcomes into deliveries. A batch's events and deliveries commit with its
 * inbox records; the sender is woken right after.
 */
export async function startOutcomeConsumer(
	ctx: WebhooksContext,
	bus: EventBus,
	metrics: Metrics,
): Promise<Subscription> {
	await bus.ensureTopics(OUTCOME_TOPICS);
	const intake = createIntake(ctx);
	return startConsumer({
		sql: ctx.sql,
		bus: afterEachBatch(bus, intake.committed),
		group: GROUP,
		topics: OUTCOME_TOPICS,
		log: ctx.log,
		metrics,
		apply: intake.apply,
	});
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
			await insertEvents(
				sql,
				fresh.filter((event) => wanted.has(event.id)),
			);
			await insertDeliveries(sql, deliveries);
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
