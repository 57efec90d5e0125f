import { readAccounting } from "@airtower/dev/chaos/invariants/quota";
import postgres from "postgres";
import type { SharedSystem } from "./shared-system.ts";

type Sql = postgres.Sql<{ bigint: number }>;

/** The databases of all services, read by the owner of all schemas: for checks, never for a service. */
export function openLedgers(system: SharedSystem) {
	const sql: Sql = postgres(system.adminDatabaseUrl, {
		max: 2,
		onnotice: () => {},
		types: {
			bigint: { to: 20, from: [20], serialize: String, parse: Number },
		},
	});
	return {
		close: () => sql.end({ timeout: 1 }),
		missingMessages: (ids: readonly string[]) => missingMessages(sql, ids),
		accounting: (organizationId: string) => readAccounting(sql, organizationId),
		stuckMessages: () => stuckMessages(sql),
		statuses: (organizationId: string) => statuses(sql, organizationId),
		possibleDuplicates: () => possibleDuplicates(sql),
		deliveries: (organizationId: string) => deliveries(sql, organizationId),
		stored: (organizationId: string) => stored(sql, organizationId),
	};
}

/** I1: those of the ids that are not stored. */
async function missingMessages(
	sql: Sql,
	ids: readonly string[],
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select wanted.id
		from unnest(${ids as string[]}::uuid[]) as wanted (id)
		where not exists (select from messaging.messages as m where m.id = wanted.id)
	`;
	return rows.map((row) => row.id);
}

/** I3: messages that are not final and that no queue holds. */
async function stuckMessages(sql: Sql): Promise<number> {
	const [row] = await sql<{ stuck: number }[]>`
		select count(*) as stuck
		from messaging.messages as m
		where m.status in ('accepted', 'submitting', 'unknown')
		and not exists (select from messaging.dispatch as d where d.message_id = m.id)
		and not exists (select from messaging.scheduled_messages as s where s.message_id = m.id)
	`;
	return row?.stuck ?? 0;
}

/** Messages by status. */
async function statuses(sql: Sql, organizationId: string) {
	const rows = await sql<{ status: string; count: number }[]>`
		select status, count(*) as count
		from messaging.messages
		where organization_id = ${organizationId}
		group by status
	`;
	return Object.fromEntries(rows.map((row) => [row.status, row.count]));
}

/** Texts of messages that may have been submitted more than once. */
async function possibleDuplicates(sql: Sql): Promise<Set<string>> {
	const rows = await sql<{ body: string }[]>`
		select body
		from messaging.messages
		where possible_duplicate
	`;
	return new Set(rows.map((row) => row.body));
}

/** I6: deliveries by message: events per endpoint, and how many are delivered. */
async function deliveries(sql: Sql, organizationId: string) {
	const [row] = await sql<
		{ deliveries: number; messages: number; delivered: number }[]
	>`
		select
			count(*) as deliveries,
			count(distinct (e.message_id, endpoint.id)) as messages,
			count(*) filter (where q.event_id is null and d.event_id is null) as delivered
		from webhooks.events as e
		cross join unnest(e.endpoint_ids) as endpoint (id)
		left join webhooks.delivery_queue as q
			on q.event_id = e.id and q.endpoint_id = endpoint.id
		left join webhooks.dead_deliveries as d
			on d.event_id = e.id and d.endpoint_id = endpoint.id
		where e.organization_id = ${organizationId}
	`;
	return row;
}

/** I8: the text of each message stored. */
async function stored(sql: Sql, organizationId: string): Promise<string[]> {
	const rows = await sql<{ body: string }[]>`
		select body
		from messaging.messages
		where organization_id = ${organizationId}
	`;
	return rows.map((row) => row.body);
}
