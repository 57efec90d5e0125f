import type { Tx } from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { disabledBody } from "./domain/event-body.ts";
import {
	type DisabledEndpoint,
	findSubscriptions,
} from "./store/active-endpoints.ts";
import type { Target } from "./store/delivery-queue.ts";
import {
	type AddressedEvent,
	insertEvents,
	type NewEvent,
} from "./store/events.ts";

/**
 * Stores events with their deliveries, each once, for the active endpoints that subscribe to them. Returns whom to
 * announce after the commit.
 */
export async function queueEvents(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<Target[]> {
	if (events.length === 0) return [];
	const addressed = await addressEvents(sql, events);
	if (addressed.length === 0) return [];
	const fresh = await insertEvents(sql, addressed);
	return addressed.filter(({ id }) => fresh.has(id)).flatMap(toTargets);
}

async function addressEvents(
	sql: Tx,
	events: readonly NewEvent[],
): Promise<AddressedEvent[]> {
	const owners = new Set(events.map((event) => event.organizationId));
	const subscriptions = Map.groupBy(
		await findSubscriptions(sql, [...owners]),
		(subscription) => subscription.organizationId,
	);
	return events.flatMap((event) => {
		const endpointIds = (subscriptions.get(event.organizationId) ?? [])
			.filter(({ subscribedEvents }) => subscribedEvents.includes(event.type))
			.map(({ endpointId }) => endpointId);
		return endpointIds.length === 0 ? [] : [{ ...event, endpointIds }];
	});
}

function toTargets({ endpointIds, organizationId }: AddressedEvent): Target[] {
	return endpointIds.map((endpointId) => ({ endpointId, organizationId }));
}

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
