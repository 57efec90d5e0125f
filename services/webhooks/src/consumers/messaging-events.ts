import type { BusEvent } from "@airtower/platform/events/event-bus";
import { isUuid } from "@airtower/platform/runtime/ids";
import {
	type InboundReceived,
	type MessagingEvent,
	MessagingEventSchema,
	type RecipientOptedOut,
} from "@airtower/proto/common/v1/messaging_event";
import { fromBinary } from "@bufbuild/protobuf";
import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { optedOutBody, receivedBody } from "../domain/event-body.ts";
import type { NewEvent } from "../store/events.ts";

/**
 * The event has the bus event's id, the same however often it arrives. Throws on an incomplete one, and on one of a
 * kind that this release does not know: it is parked until a release knows it.
 */
export function readMessagingEvent(bus: BusEvent, createdAt: Date): NewEvent {
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

function toDate(time: Timestamp | undefined): Date {
	if (time === undefined) throw new Error("The event has no time.");
	return timestampDate(time);
}
