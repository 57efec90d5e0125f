import {
	type Apply,
	type ConsumerOptions,
	startConsumer,
} from "@airtower/platform/events/consumer";
import type {
	BusEvent,
	EventBus,
	Subscription,
} from "@airtower/platform/events/event-bus";
import { pendingSubscription } from "@airtower/platform/events/pending-subscription";
import { isUuid } from "@airtower/platform/runtime/ids";
import type { Metrics } from "@airtower/platform/runtime/metrics";
import { DailyReportSchema } from "@airtower/proto/accounts/v1/events";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import {
	type InboundReceived,
	type MessagingEvent,
	MessagingEventSchema,
	type RecipientOptedOut,
} from "@airtower/proto/common/v1/messaging_event";
import { topics } from "@airtower/proto/rules/topics";
import { fromBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { Context } from "../context.ts";
import {
	dailyReportBody,
	eventBody,
	optedOutBody,
	receivedBody,
} from "../domain/callback.ts";
import type { NewEvent } from "../store/events.ts";
import { queueEvents } from "../store/events.ts";

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
		{
			group: "webhooks.reports",
			topics: [topics.accountsDailyReport],
			apply: queueing(ctx, readDailyReport),
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

/** The event has the bus event's id, the same however often the outcome arrives. Throws on an incomplete outcome. */
function readOutcome(event: BusEvent, createdAt: Date): NewEvent {
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

/**
 * The event has the bus event's id, the same however often it arrives. Throws on an incomplete one, and on one of a
 * kind that this release does not know: it is parked until a release knows it.
 */
function readMessagingEvent(bus: BusEvent, createdAt: Date): NewEvent {
	const event = fromBinary(MessagingEventSchema, bus.payload);
	const organizationId = event.organizationId.toLowerCase();
	if (!isUuid(organizationId))
		throw new Error("The event names no organization.");
	const head = { id: bus.id, createdAt };
	return {
		...head,
		organizationId,
		occurredAt: toDate(event.occurredAt),
		traceparent: bus.traceparent,
		...readKind(event.kind, head),
	};
}

type Head = Pick<NewEvent, "id" | "createdAt">;
type Kind = Pick<NewEvent, "messageId" | "type" | "body">;

function readKind(kind: MessagingEvent["kind"], head: Head): Kind {
	switch (kind.case) {
		case "received":
			return readReceived(kind.value, head);
		case "optedOut":
			return readOptedOut(kind.value, head);
		default:
			throw new Error("The event's kind is unknown.");
	}
}

function readReceived(received: InboundReceived, head: Head): Kind {
	const messageId = received.id.toLowerCase();
	if (!isUuid(messageId)) throw new Error("The event names no message.");
	const receivedAt = toDate(received.receivedAt);
	const type = "message.received";
	const message = { ...received, messageId, receivedAt };
	return { messageId, type, body: receivedBody({ ...head, type, message }) };
}

function readOptedOut(optedOut: RecipientOptedOut, head: Head): Kind {
	const occurredAt = toDate(optedOut.occurredAt);
	const type = "recipient.opted_out";
	const body = optedOutBody({
		...head,
		type,
		optedOut: { ...optedOut, occurredAt },
	});
	return { messageId: null, type, body };
}

/** Its time is that of its arrival: a day of last week is no old event. Throws on an incomplete report. */
function readDailyReport(bus: BusEvent, createdAt: Date): NewEvent {
	const report = fromBinary(DailyReportSchema, bus.payload);
	const organizationId = report.organizationId.toLowerCase();
	if (!isUuid(organizationId))
		throw new Error("The report names no organization.");
	if (report.day === "") throw new Error("The report names no day.");
	const head = { id: bus.id, type: "report.daily", createdAt };
	return {
		...head,
		organizationId,
		messageId: null,
		body: dailyReportBody({ ...head, report }),
		occurredAt: createdAt,
		traceparent: bus.traceparent,
	};
}

function toDate(time: Timestamp | undefined): Date {
	if (time === undefined) throw new Error("The event has no time.");
	return timestampDate(time);
}
