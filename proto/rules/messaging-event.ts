import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	type MessagingEvent,
	MessagingEventSchema,
} from "../gen/airtower/common/v1/messaging_event_pb.ts";

export type MessagingEventInit = MessageInitShape<typeof MessagingEventSchema> &
	Pick<MessagingEvent, "eventKey" | "organizationId">;

/** What the bus is told of an event of an organization's SMS, keyed by what it is about. */
export function messagingEvent(event: MessagingEventInit) {
	const { eventKey: key, organizationId } = event;
	const message = create(MessagingEventSchema, event);
	const payload = toBinary(MessagingEventSchema, message);
	return { type: "messaging_event", key, organizationId, payload };
}
