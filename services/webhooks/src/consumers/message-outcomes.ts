import type { Apply } from "@airtower/platform/events/apply";
import { startConsumer } from "@airtower/platform/events/consumer";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import { eventBody } from "../domain/event-body.ts";
import { queueEvents } from "../queue-events.ts";
import type { NewEvent } from "../store/events.ts";

export const GROUP = "webhooks";
const OUTCOME_TOPICS = [topics.messagingOutcome, topics.whatsappOutcome];

/** Does not wait for the bus: what is queued already goes out without it. */
export function startOutcomeConsumer(
	ctx: Context,
	bus: EventBus,
	metrics: Metrics,
): Subscription {
	const { sql, log } = ctx;
	const subscribed = startConsumer({
		sql,
		bus,
		log,
		metrics,
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

/** The event has the bus event's id, the same however often the outcome arrives. Throws on an incomplete outcome. */
export function readOutcome(event: BusEvent, createdAt: Date): NewEvent {
	const outcome = fromBinary(MessageOutcomeSchema, event.payload);
	const messageId = outcome.messageId.toLowerCase();
	const organizationId = outcome.organizationId.toLowerCase();
	const { occurredAt } = outcome;
	const type = toEventType(outcome.status);
	if (type === undefined) throw new Error("The outcome's status is unknown.");
	if (!isUuid(messageId) || !isUuid(organizationId))
		throw new Error("The outcome names no message or organization.");
	if (occurredAt === undefined) throw new Error("The outcome has no time.");
	const occurred = timestampDate(occurredAt);
	return {
		id: event.id,
		organizationId,
		messageId,
		type,
		body: eventBody({
			id: event.id,
			type,
			createdAt,
			outcome: { ...outcome, messageId, occurredAt: occurred },
		}),
		occurredAt: occurred,
		createdAt,
		traceparent: event.traceparent,
	};
}

const EVENT_TYPES: ReadonlyMap<string, string> = new Map([
	["delivered", "message.delivered"],
	["failed", "message.failed"],
	["canceled", "message.canceled"],
]);

/** The kind of event that a final status is; undefined for any other. */
export function toEventType(status: string): string | undefined {
	return EVENT_TYPES.get(status);
}
