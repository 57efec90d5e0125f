import type { Tx } from "@airtower/platform/database/database";

export interface Scan {
	/** The last id that was looked at. */
	readonly upto: string;
	/** The database's clock. */
	readonly now: Date;
}

/** Takes a scan for this transaction; undefined while another process has it. */
export async function claimScan(
	sql: Tx,
	name: string,
): Promise<Scan | undefined> {
	const [scan] = await sql<Scan[]>`
		select upto, now() as now
		from scans
		where name = ${name}
		for update skip locked
	`;
	return scan;
}

export async function updateScan(
	sql: Tx,
	name: string,
	upto: string,
): Promise<void> {
	await sql`
		update scans
		set upto = ${upto}
		where name = ${name}
	`;
}
