import type { Apply, ConsumerOptions } from "@airtower/platform/events/apply";
import { startConsumer } from "@airtower/platform/events/consumer";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { topics } from "@airtower/proto/rules/topics";
import type { Context } from "../context.ts";
import { queueEvents } from "../queue-events.ts";
import type { NewEvent } from "../store/events.ts";
import { readOutcome } from "./message-outcomes.ts";
import { readMessagingEvent } from "./messaging-events.ts";

type ConsumerGroup = Pick<ConsumerOptions, "group" | "topics" | "apply">;

/** Groups of their own: what cannot be read in one topic holds up no other. */
export function consumerGroups(ctx: Context): ConsumerGroup[] {
	return [
		{
			group: "webhooks",
			topics: [topics.messagingOutcome, topics.whatsappOutcome],
			apply: queueing(ctx, readOutcome),
		},
		{
			group: "webhooks.events",
			topics: [topics.messagingEvent],
			apply: queueing(ctx, readMessagingEvent),
		},
	];
}

/** Queues what the bus tells, as `read` understands it. */
function queueing(
	ctx: Context,
	read: (event: BusEvent, createdAt: Date) => NewEvent,
): Apply {
	return async (sql, events, afterCommit) => {
		const createdAt = ctx.clock();
		const targets = await queueEvents(
			sql,
			events.map((event) => read(event, createdAt)),
		);
		afterCommit(() => ctx.queues.announce(targets));
	};
}

/** Does not wait for the bus: what is queued already goes out without it. */
export function startConsumers(
	{ sql, log }: Context,
	groups: readonly ConsumerGroup[],
	bus: EventBus,
	metrics: Metrics,
): Subscription[] {
	const common = { sql, bus, log, metrics, appliesOnce: true };
	return groups.map((group) =>
		pendingSubscription(startConsumer({ ...group, ...common }), log),
	);
}
