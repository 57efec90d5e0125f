import type { Tx } from "@airtower/platform/database/database";
import { idRange } from "./id-range.ts";
import { firstIdAt } from "./partitions.ts";

/** Messages whose texts go after so many days: an organization's, or all without a retention of their own. */
export interface BodyWalk {
	readonly organizationId: string | undefined;
	readonly bodyDays: number;
}

interface PassedMessage {
	readonly id: string;
	/** False for one that another walk sees to. */
	readonly isOwn: boolean;
	readonly isDue: boolean;
	readonly dueAt: Date;
}

/** Below every id; as an organization's, it names the walk over all the others. */
const NIL_ID = "00000000-0000-0000-0000-000000000000";
const DAY_MS = 86_400_000;
/** The walk stays so far behind, ms: a message may commit a while after its id was made. */
const WALK_LAG_MS = 3_600_000;

/**
 * Blanks the texts of the next messages in the order of their ids, up to those that came `bodyDays` ago; returns how
 * many it passed. One that has not ended for so long yet is noted, to be looked at again.
 */
export async function blankNextBodies(
	sql: Tx,
	{ organizationId, bodyDays }: BodyWalk,
	now: Date,
	limit: number,
): Promise<number> {
	const walk = organizationId ?? NIL_ID;
	const after = await lockWalk(sql, walk);
	const ageMs = Math.max(bodyDays * DAY_MS, WALK_LAG_MS);
	const end = firstIdAt(new Date(now.getTime() - ageMs));
	const kept = sql`${bodyDays} * interval '1 day'`;
	const passed = await sql<PassedMessage[]>`
		select
			id,
			${isWalked(sql, organizationId)} as "isOwn",
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
	const last = passed.at(-1);
	if (last === undefined) return 0;
	const own = passed.filter(({ isOwn }) => isOwn);
	const due = own.filter(({ isDue }) => isDue);
	await blankBodies(
		sql,
		due.map(({ id }) => id),
	);
	await insertLateBodies(
		sql,
		own.filter(({ isDue }) => !isDue),
	);
	await sql`
		update body_walks
		set after_id = ${last.id}
		where organization_id = ${walk}
	`;
	return passed.length;
}

/** Where the walk stands; it goes on in one process at a time. */
async function lockWalk(sql: Tx, walk: string): Promise<string> {
	await sql`
		insert into body_walks (organization_id, after_id)
		values (${walk}, ${NIL_ID})
		on conflict do nothing
	`;
	const [row] = await sql<{ after: string }[]>`
		select after_id as after
		from body_walks
		where organization_id = ${walk}
		for update
	`;
	return row?.after ?? NIL_ID;
}

/** Organizations that have, or had, a retention of their own are walked by themselves. */
function isWalked(sql: Tx, organizationId: string | undefined) {
	if (organizationId !== undefined) return sql`true`;
	return sql`not exists (
		select
		from retention
		where retention.organization_id = page.organization_id
	)`;
}

async function blankBodies(sql: Tx, ids: readonly string[]): Promise<void> {
	if (ids.length === 0) return;
	const { first, last } = idRange(ids);
	await sql`
		update messages
		set body = ''
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		and body <> ''
	`;
}

async function insertLateBodies(
	sql: Tx,
	late: readonly PassedMessage[],
): Promise<void> {
	await sql`
		insert into late_bodies (message_id, due_at)
		select *
		from unnest(
			${late.map(({ id }) => id)}::uuid[],
			${late.map(({ dueAt }) => dueAt.toISOString())}::timestamptz[]
		)
		on conflict do nothing
	`;
}

/** Blanks the texts of noted messages that are due; those that still have not ended are looked at again a day later. */
export async function blankLateBodies(
	sql: Tx,
	deploymentDays: number,
	limit: number,
): Promise<number> {
	const late = await sql<{ id: string }[]>`
		select message_id as id
		from late_bodies
		where due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`;
	const ids = late.map(({ id }) => id);
	if (ids.length === 0) return 0;
	const waiting = await findUnripe(sql, ids, deploymentDays);
	await blankBodies(
		sql,
		ids.filter((id) => !waiting.has(id)),
	);
	await sql`
		update late_bodies
		set due_at = now() + interval '1 day'
		where message_id = any(${[...waiting]}::uuid[])
	`;
	await sql`
		delete from late_bodies
		where message_id = any(${ids}::uuid[])
		and message_id <> all(${[...waiting]}::uuid[])
	`;
	return ids.length;
}

/** Those of the messages that have not ended, or not for as long as their organization keeps texts. */
async function findUnripe(
	sql: Tx,
	ids: readonly string[],
	deploymentDays: number,
): Promise<Set<string>> {
	const { first, last } = idRange(ids);
	const rows = await sql<{ id: string }[]>`
		select id
		from messages
		left join retention using (organization_id)
		where id = any(${[...ids]}::uuid[])
		and id between ${first} and ${last}
		and coalesce(
			finished_at + coalesce(body_days, ${deploymentDays}) * interval '1 day' > now(),
			true
		)
	`;
	return new Set(rows.map(({ id }) => id));
}
