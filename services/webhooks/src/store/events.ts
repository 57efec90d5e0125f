import type { Tx } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";
import { disabledBody } from "../domain/callback.ts";
import {
	type DisabledEndpoint,
	findSubscriptions,
} from "./active-endpoints.ts";
import type { Target } from "./delivery-queue.ts";

export interface NewEvent {
	id: string;
	organizationId: string;
	messageId: string | null;
	type: string;
	body: string;
	occurredAt: Date;
	createdAt: Date;
	/** Undefined for an event that is not traced. */
	traceparent?: string | undefined;
}

const EVENT = {
	id: "uuid",
	organizationId: "uuid",
	messageId: "uuid",
	type: "text",
	body: "text",
	occurredAt: "timestamptz",
	createdAt: "timestamptz",
	traceparent: "text",
} as const;

interface AddressedEvent extends NewEvent {
	endpointIds: readonly string[];
}

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

/** Returns the ids that are new. Rows go in the order of their ids: batches with common events cannot deadlock. */
export async function insertEvents(
	sql: Tx,
	events: readonly AddressedEvent[],
): Promise<Set<string>> {
	const addressed = events.map(({ endpointIds, ...event }) => ({
		...event,
		addressees: `{${endpointIds.join()}}`,
	}));
	const columns = toColumnList(sql, EVENT);
	const rows = await sql<{ id: string }[]>`
		with fresh as (
			insert into events (${columns}, endpoint_ids)
			select ${columns}, addressees::uuid[]
			from ${unnest(sql, addressed, { ...EVENT, addressees: "text" })}
			order by id
			on conflict do nothing
			returning id, endpoint_ids
		),
		queued as (
			insert into delivery_queue (event_id, endpoint_id)
			select id, unnest(endpoint_ids)
			from fresh
		)
		select id
		from fresh
	`;
	return new Set(rows.map(({ id }) => id));
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

interface OldEvents {
	readonly days: number;
	/** Those created before or then were looked at already; null to begin with the oldest. */
	readonly after: Date | null;
	readonly limit: number;
}

/**
 * Looks at the next `limit` events that are older than `days`, and deletes those that are over with their history.
 * Returns where the next look begins; null when this one has come to the end.
 */
export async function deleteOldEvents(
	sql: Tx,
	{ days, after, limit }: OldEvents,
): Promise<{ deleted: number; next: Date | null }> {
	const oldest = await sql<{ id: string; createdAt: Date }[]>`
		select id, created_at as "createdAt"
		from events
		where created_at > ${after ?? new Date(0)}
		and created_at < now() - ${days} * interval '1 day'
		order by created_at
		limit ${limit}
		for update skip locked
	`;
	const next = oldest.length < limit ? undefined : oldest.at(-1)?.createdAt;
	// A statement of its own: it sees what was queued again before the locks were taken.
	const deleted = await sql`
		with old as materialized (
			select id
			from unnest(${oldest.map(({ id }) => id)}::uuid[]) as oldest (id)
			where (
				select event_id
				from delivery_queue
				where event_id = oldest.id
				limit 1
			) is null
		),
		forgotten as (
			delete from attempts
			where event_id in (select id from old)
		),
		buried as (
			delete from dead_deliveries
			where event_id in (select id from old)
		)
		delete from events
		where id in (select id from old)
	`;
	return { deleted: deleted.count, next: next ?? null };
}
