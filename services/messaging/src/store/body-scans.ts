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
const WALK_LAG_MS = 3_600_000;

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
	const after = await lockScan(sql, name);
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

/** Where the scan stands; it goes on in one process at a time. */
async function lockScan(sql: Tx, scan: string): Promise<string> {
	await sql`
		insert into body_scans (organization_id, after_id)
		values (${scan}, ${LOWEST_ID})
		on conflict do nothing
	`;
	const [row] = await sql<{ after: string }[]>`
		select after_id as after
		from body_scans
		where organization_id = ${scan}
		for update
	`;
	return row?.after ?? LOWEST_ID;
}

/** A page is cut before anything is looked up for its rows: it is read by the key alone. */
async function findNext(
	sql: Tx,
	{ organizationId, bodyDays }: BodyScan,
	after: string,
	now: Date,
	limit: number,
): Promise<PassedMessage[]> {
	const ageMs = Math.max(bodyDays * DAY_MS, WALK_LAG_MS);
	const end = firstIdAt(new Date(now.getTime() - ageMs));
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
			${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
			order by id
			limit ${limit}
		) as page
		where id < ${end}
		order by id
	`;
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
