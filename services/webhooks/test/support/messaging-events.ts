import type { BusEvent } from "@airtower/platform/events/event-bus";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import type {
	InboundReceivedSchema,
	RecipientOptedOutSchema,
} from "@airtower/proto/common/v1/messaging_event";
import {
	type MessagingEventInit,
	messagingEvent,
} from "@airtower/proto/rules/messaging-event";
import { topics } from "@airtower/proto/rules/topics";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromDate } from "@bufbuild/protobuf/wkt";

export const occurredAt = timestampFromDate(
	new Date("2026-01-02T03:04:05.006Z"),
);

/** A text that came in, as messaging publishes it. */
export function inboundEvent(
	organizationId: string,
	fields: MessageInitShape<typeof InboundReceivedSchema>,
): BusEvent {
	const value = {
		id: uuidv7(),
		from: "+33612345678",
		to: "+33644630001",
		body: "Yes",
		encoding: "ucs2",
		parts: 1,
		isComplete: true,
		receivedAt: occurredAt,
		...fields,
	};
	const kind = { case: "received", value } as const;
	return toBusEvent({ eventKey: value.id, organizationId, occurredAt, kind });
}

/** A number that wants no more messages. */
export function optedOutEvent(
	organizationId: string,
	fields: MessageInitShape<typeof RecipientOptedOutSchema>,
): BusEvent {
	const value = {
		recipient: "+33612345678",
		source: "keyword",
		occurredAt,
		...fields,
	};
	const kind = { case: "optedOut", value } as const;
	const eventKey = value.recipient;
	return toBusEvent({ eventKey, organizationId, occurredAt, kind });
}

export function toBusEvent(event: MessagingEventInit): BusEvent {
	const topic = topics.messagingEvent;
	return { id: uuidv7(), topic, ...messagingEvent(event) };
}
