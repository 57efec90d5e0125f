import type { Tx } from "@airtower/platform/database/database";
import { appendToOutbox } from "@airtower/platform/events/outbox";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import {
	type MessagingEventInit,
	messagingEvent,
} from "@airtower/proto/rules/messaging-event";
import { topics } from "@airtower/proto/rules/topics";

/** Records events of organizations' SMS in the transaction in which they happen. */
export function publishEvents(
	sql: Tx,
	events: readonly MessagingEventInit[],
): Promise<void> {
	return appendToOutbox(
		sql,
		events.map((event) => ({
			id: uuidv7(),
			topic: topics.messagingEvent,
			...messagingEvent(event),
		})),
	);
}
