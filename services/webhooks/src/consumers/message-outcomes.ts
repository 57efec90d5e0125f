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
import { queueEvents } from "../queue-events.ts";
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
		const targets = await queueEvents(sql, outcomes);
		afterCommit(() => ctx.queues.announce(targets));
	};
}
