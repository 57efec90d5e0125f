import type { Tx } from "@airtower/platform/database/database";

export interface Walk {
	/** The last id that was looked at. */
	readonly upto: string;
	/** The database's clock. */
	readonly now: Date;
}

/** Takes a walk for this transaction; undefined while another process has it. */
export async function claimWalk(
	sql: Tx,
	name: string,
): Promise<Walk | undefined> {
	const [walk] = await sql<Walk[]>`
		select upto, now() as now
		from walks
		where name = ${name}
		for update skip locked
	`;
	return walk;
}

export async function updateWalk(
	sql: Tx,
	name: string,
	upto: string,
): Promise<void> {
	await sql`
		update walks
		set upto = ${upto}
		where name = ${name}
	`;
}

export interface PassedMessages {
	readonly last: string | null;
	readonly submitted: readonly string[];
}

/** The next messages of a walk, up to `limit`: the last of them, and those that are submitted. */
export async function findSubmitted(
	sql: Tx,
	range: { readonly after: string; readonly before: string },
	limit: number,
): Promise<PassedMessages> {
	const [passed] = await sql<[PassedMessages]>`
		select
			(array_agg(id order by id desc))[1] as last,
			coalesce(array_agg(id) filter (where status = 'submitted'), '{}') as submitted
		from (
			select id, status
			from messages
			where id > ${range.after}
			and id < ${range.before}
			order by id
			limit ${limit}
		) as passed
	`;
	return passed;
}
