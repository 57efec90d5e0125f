import type { Tx } from "@airtower/platform/database/database";
import { firstIdAt, LOWEST_ID } from "@airtower/platform/runtime/ids";
import { blankBodies } from "./blanked-bodies.ts";
import { insertLateBodies, type LateBody } from "./late-bodies.ts";

/** Messages whose texts go after so many days: an organization's, or all without a retention of their own. */
export interface BodyScan {
	readonly organizationId: string | undefined;
	readonly bodyDays: number;
}

interface PassedMessage extends LateBody {
	/** False for one that another scan sees to. */
	readonly isOwn: boolean;
	readonly isDue: boolean;
}

/** Stands where an organization's id would: the scan of all organizations that have no retention of their own. */
const ALL_OTHERS = LOWEST_ID;
const DAY_MS = 86_400_000;
/** The scan stays so far behind, ms: a message may commit a while after its id was made. */
const SCAN_LAG_MS = 3_600_000;

/**
 * Blanks the texts of the next messages in the order of their ids, up to those that came `bodyDays` ago; returns how
 * many it passed. One that has not ended for so long yet is noted, to be looked at again.
 */
export async function blankNextBodies(
	sql: Tx,
	scan: BodyScan,
	now: Date,
	limit: number,
): Promise<number> {
	const name = scan.organizationId ?? ALL_OTHERS;
	const after = await lockScan(sql, "body_scans", name);
	const passed = await findNext(sql, scan, after, now, limit);
	const last = passed.at(-1);
	if (last === undefined) return 0;
	const own = passed.filter(({ isOwn }) => isOwn);
	const due = own.filter(({ isDue }) => isDue).map(({ id }) => id);
	const late = own.filter(({ isDue }) => !isDue);
	await blankBodies(sql, due);
	await insertLateBodies(sql, late);
	await sql`
		update body_scans
		set after_id = ${last.id}
		where organization_id = ${name}
	`;
	return passed.length;
}

/**
 * Blanks the next inbound texts in the same way. They have ended when they are stored, so that none is looked at again.
 */
export async function blankNextInbound(
	sql: Tx,
	scan: BodyScan,
	now: Date,
	limit: number,
): Promise<number> {
	const { organizationId } = scan;
	const name = organizationId ?? ALL_OTHERS;
	const after = await lockScan(sql, "inbound_scans", name);
	const passed = await sql<Pick<PassedMessage, "id" | "isOwn">[]>`
		select id, ${isScanned(sql, organizationId)} as "isOwn"
		from (
			select id, organization_id
			from inbound_messages
			where id > ${after}
			${isOf(sql, organizationId)}
			order by id
			limit ${limit}
		) as page
		where id < ${endOf(scan, now)}
		order by id
	`;
	const last = passed.at(-1);
	if (last === undefined) return 0;
	const own = passed.filter(({ isOwn }) => isOwn).map(({ id }) => id);
	await sql`
		update inbound_messages
		set body = ''
		where id = any(${own}::uuid[])
	`;
	await sql`
		update inbound_scans
		set after_id = ${last.id}
		where organization_id = ${name}
	`;
	return passed.length;
}

/** Where the scan stands; it goes on in one process at a time. */
async function lockScan(
	sql: Tx,
	table: "body_scans" | "inbound_scans",
	scan: string,
): Promise<string> {
	await sql`
		insert into ${sql(table)} (organization_id, after_id)
		values (${scan}, ${LOWEST_ID})
		on conflict do nothing
	`;
	const [row] = await sql<{ after: string }[]>`
		select after_id as after
		from ${sql(table)}
		where organization_id = ${scan}
		for update
	`;
	return row?.after ?? LOWEST_ID;
}

/** A page is cut before anything is looked up for its rows: it is read by the key alone. */
async function findNext(
	sql: Tx,
	scan: BodyScan,
	after: string,
	now: Date,
	limit: number,
): Promise<PassedMessage[]> {
	const { organizationId, bodyDays } = scan;
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
		where id < ${endOf(scan, now)}
		order by id
	`;
}

function isOf(sql: Tx, organizationId: string | undefined) {
	return organizationId === undefined
		? sql``
		: sql`and organization_id = ${organizationId}`;
}

/** The first id of what is too young for the scan. */
function endOf({ bodyDays }: BodyScan, now: Date): string {
	const ageMs = Math.max(bodyDays * DAY_MS, SCAN_LAG_MS);
	return firstIdAt(new Date(now.getTime() - ageMs));
}

/** Organizations that have, or had, a retention of their own are scanned by themselves. */
function isScanned(sql: Tx, organizationId: string | undefined) {
	if (organizationId !== undefined) return sql`true`;
	return sql`not exists (
		select
		from retention
		where retention.organization_id = page.organization_id
	)`;
}
