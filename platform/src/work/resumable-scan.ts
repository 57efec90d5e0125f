import {
	type Db,
	type Queryable,
	type Tx,
	transaction,
} from "../database/database.ts";

/** The rows that a scan looks at in one step; each scan adds what it found out about them. */
export interface ScanPage {
	/** Position of the last of them. */
	readonly end: string;
}

/** A job that looks once at every row of a table, in an order in which new rows come last. */
export interface ResumableScan<Page extends ScanPage, Done> {
	/** Of its row in `scan_positions`. A scan without a row begins at the beginning. */
	readonly name: string;
	/**
	 * Finds the rows after a position, which is empty before the first row; undefined where there are none for now. It
	 * changes nothing and is in no transaction, so it may ask other services; two processes may find the same page.
	 */
	readonly findPage: (after: string) => Promise<Page | undefined>;
	/** Works on a page, in the transaction that moves the scan to its end. */
	readonly work: (sql: Tx, page: Page) => Promise<Done>;
}

/** A page that was worked on, and what came of it. */
interface ScanStep<Page extends ScanPage, Done> {
	readonly page: Page;
	readonly done: Done;
}

/**
 * Works on the next page of a scan and moves the scan to its end, both or neither. Returns undefined when there is
 * nothing to do for now: the scan is at its end, or another process works on the page, or did so meanwhile.
 */
export async function advanceScan<Page extends ScanPage, Done>(
	sql: Db,
	{ name, findPage, work }: ResumableScan<Page, Done>,
): Promise<ScanStep<Page, Done> | undefined> {
	const from = await findPosition(sql, name);
	const page = await findPage(from);
	if (page === undefined) return undefined;
	return transaction(sql, async (sql) => {
		if (!(await movePosition(sql, name, from, page.end))) return undefined;
		return { page, done: await work(sql, page) };
	});
}

async function findPosition(sql: Queryable, name: string): Promise<string> {
	const [row] = await sql<{ position: string }[]>`
		select position
		from scan_positions
		where name = ${name}
	`;
	if (row !== undefined) return row.position;
	await sql`
		insert into scan_positions (name, position)
		values (${name}, '')
		on conflict do nothing
	`;
	return "";
}

/** Returns false when another process has moved it, or is about to: nobody waits for a process that stands still. */
async function movePosition(
	sql: Tx,
	name: string,
	from: string,
	to: string,
): Promise<boolean> {
	const moved = await sql`
		update scan_positions
		set position = ${to}
		where name in (
			select name
			from scan_positions
			where name = ${name}
			and position = ${from}
			for update skip locked
		)
	`;
	return moved.count === 1;
}
