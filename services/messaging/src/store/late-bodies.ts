import { byIndex } from "@airtower/platform/database/by-index";
import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { blankBodies } from "./blanked-bodies.ts";
import { idRange } from "./messages.ts";

/** A message that the scan has passed before its text was due. */
export interface LateBody {
	readonly id: string;
	readonly dueAt: Date;
}

export async function insertLateBodies(
	sql: Tx,
	late: readonly LateBody[],
): Promise<void> {
	await sql`
		insert into late_bodies (message_id, due_at)
		select *
		from ${unnest(sql, late, { id: "uuid", dueAt: "timestamptz" })}
		on conflict do nothing
	`;
}

/** Blanks the texts of noted messages that are due; those that still have not ended are looked at again a day later. */
export async function blankLateBodies(
	sql: Tx,
	deploymentDays: number,
	limit: number,
): Promise<number> {
	const late = await byIndex(
		sql,
		(sql) => sql<{ id: string }[]>`
		select message_id as id
		from late_bodies
		where due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`,
	);
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
