import type { BusEvent } from "@airtower/platform/events/event-bus";
import { isUuid } from "@airtower/platform/runtime/ids";
import { MessageOutcomeSchema } from "@airtower/proto/common/v1/message_outcome";
import { fromBinary } from "@bufbuild/protobuf";
import { timestampDate } from "@bufbuild/protobuf/wkt";
import { eventBody } from "../domain/event-body.ts";
import type { NewEvent } from "../store/events.ts";

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
