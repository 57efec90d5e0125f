import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { queueEvents } from "./consumers/message-outcomes.ts";
import { disabledBody } from "./domain/event-body.ts";
import type { Target } from "./store/delivery-queue.ts";
import type { DisabledEndpoint } from "./store/endpoint-failures.ts";
import type { NewEvent } from "./store/events.ts";

/** Queues `webhook.disabled` for the organization's other endpoints; returns whom to announce after the commit. */
export function announceDisabled(
	sql: Tx,
	disabled: readonly DisabledEndpoint[],
): Promise<Target[]> {
	return queueEvents(sql, disabled.map(toEvent));
}

function toEvent(endpoint: DisabledEndpoint): NewEvent {
	const { id: endpointId, organizationId, url, reason, disabledAt } = endpoint;
	const id = uuidv7();
	return {
		id,
		organizationId,
		messageId: null,
		type: "webhook.disabled",
		body: disabledBody({ id, endpointId, url, reason, disabledAt }),
		occurredAt: disabledAt,
		createdAt: disabledAt,
	};
}
