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
