import { create, type MessageInitShape, toBinary } from "@bufbuild/protobuf";
import {
	type WhatsAppEvent,
	WhatsAppEventSchema,
} from "../gen/airtower/common/v1/whatsapp_event_pb.ts";

type WhatsAppEventInit = MessageInitShape<typeof WhatsAppEventSchema> &
	Pick<WhatsAppEvent, "eventKey" | "organizationId">;

/** What the bus is told of an event on WhatsApp, keyed by what it is about. */
export function whatsappEvent(event: WhatsAppEventInit) {
	const { eventKey: key, organizationId } = event;
	const message = create(WhatsAppEventSchema, event);
	const payload = toBinary(WhatsAppEventSchema, message);
	return { type: "whatsapp_event", key, organizationId, payload };
}
