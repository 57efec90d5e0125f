import type { Queryable, Tx } from "@airtower/platform/database/database";
import { firstIdAt } from "@airtower/platform/runtime/ids";
import type { LateBody } from "./late-bodies.ts";

/** Whose texts go after so many days: an organization's, or those of all without a retention of their own. */
export interface BodyOwner {
	readonly organizationId: string | undefined;
	readonly bodyDays: number;
}

export interface PassedInbound {
	readonly id: string;
	/** False for one that another scan sees to. */
	readonly isOwn: boolean;
}

export interface PassedMessage extends LateBody, PassedInbound {
	readonly isDue: boolean;
}

const DAY_MS = 86_400_000;
/** A scan stays so far behind, ms: a message may commit a while after its id was made. */
const SCAN_LAG_MS = 3_600_000;

/**
 * The next messages after an id, in the order of ids, up to those that came `bodyDays` ago. A page is cut before
 * anything is looked up for its rows: it is read by the key alone.
 */
export async function findPassedMessages(
	sql: Queryable,
	{ organizationId, bodyDays }: BodyOwner,
	after: string,
	now: Date,
	limit: number,
): Promise<PassedMessage[]> {
	const kept = sql`${bodyDays} * interval '1 day'`;
	return sql<PassedMessage[]>`
		select
			id,
			${isScanned(sql, organizationId)} as "isOwn",
			coalesce(finished_at + ${kept} <= now(), false) as "isDue",
			coalesce(finished_at + ${kept}, now() + interval '1 day') as "dueAt"
		from (
			select id, organization_id, finished_at
			from messages
			where id > ${after}
			${isOf(sql, organizationId)}
			order by id
			limit ${limit}
		) as page
		where id < ${endOf(bodyDays, now)}
		order by id
	`;
}

/** The next inbound texts in the same way. */
export async function findPassedInbound(
	sql: Queryable,
	{ organizationId, bodyDays }: BodyOwner,
	after: string,
	now: Date,
	limit: number,
): Promise<PassedInbound[]> {
	return sql<PassedInbound[]>`
		select id, ${isScanned(sql, organizationId)} as "isOwn"
		from (
			select id, organization_id
			from inbound_messages
			where id > ${after}
			${isOf(sql, organizationId)}
			order by id
			limit ${limit}
		) as page
		where id < ${endOf(bodyDays, now)}
		order by id
	`;
}

export async function blankInbound(
	sql: Tx,
	ids: readonly string[],
): Promise<void> {
	await sql`
		update inbound_messages
		set body = ''
		where id = any(${[...ids]}::uuid[])
	`;
}

function isOf(sql: Queryable, organizationId: string | undefined) {
	return organizationId === undefined
		? sql``
		: sql`and organization_id = ${organizationId}`;
}

/** The first id of what is too young for a scan. */
function endOf(bodyDays: number, now: Date): string {
	const ageMs = Math.max(bodyDays * DAY_MS, SCAN_LAG_MS);
	return firstIdAt(new Date(now.getTime() - ageMs));
}

/** Organizations that have, or had, a retention of their own are scanned by themselves. */
function isScanned(sql: Queryable, organizationId: string | undefined) {
	if (organizationId !== undefined) return sql`true`;
	return sql`not exists (
		select
		from retention
		where retention.organization_id = page.organization_id
	)`;
}
