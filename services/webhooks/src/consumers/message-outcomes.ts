import type { Tx } from "@airtower/platform/database/database";
import type { Apply } from "@airtower/platform/events/apply";
import { startConsumer } from "@airtower/platform/events/consumer";
import type {
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { topics } from "@airtower/proto/rules/topics";
import type { Context } from "../context.ts";
import type { Target } from "../store/delivery-queue.ts";
import { findSubscriptions } from "../store/endpoints.ts";
import {
	type AddressedEvent,
	insertEvents,
	type NewEvent,
} from "../store/events.ts";
import { readOutcome } from "./read-outcome.ts";

export const GROUP = "webhooks";
export const OUTCOME_TOPICS = [topics.messagingOutcome, topics.whatsappOutcome];

/** Does not wait for the bus: what is queued already goes out without it. */
export function startOutcomeConsumer(
	ctx: Context,
	bus: EventBus,
	metrics: Metrics,
): Subscription {
	const { sql, log } = ctx;
	const subscribed = startConsumer({
		...{ sql, bus, log, metrics },
		group: GROUP,
		topics: OUTCOME_TOPICS,
		appliesOnce: true,
		apply: applyOutcomes(ctx),
	});
	return pendingSubscription(subscribed, log);
}

export function applyOutcomes(ctx: Context): Apply {
	return async (sql, events, afterCommit) => {
		const createdAt = ctx.clock();
		const outcomes = events.map((event) => readOutcome(event, createdAt));
		const addressed = await addressEvents(sql, outcomes);
		if (addressed.length === 0) return;
		const fresh = await insertEvents(sql, addressed);
		const targets = addressed
			.filter(({ id }) => fresh.has(id))
			.flatMap(toTargets);
		afterCommit(() => ctx.queues.announce(targets));
	};
}

async function addressEvents(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<AddressedEvent[]> {
	const owners = new Set(events.map((event) => event.organizationId));
	const subscriptions = Map.groupBy(
		await findSubscriptions(sql, [...owners]),
		(subscription) => subscription.organizationId,
	);
	return events.flatMap((event) => {
		const endpointIds = (subscriptions.get(event.organizationId) ?? [])
			.filter(({ subscribedEvents }) => subscribedEvents.includes(event.type))
			.map(({ endpointId }) => endpointId);
		return endpointIds.length === 0 ? [] : [{ ...event, endpointIds }];
	});
}

function toTargets({ endpointIds, organizationId }: AddressedEvent): Target[] {
	return endpointIds.map((endpointId) => ({ endpointId, organizationId }));
}
