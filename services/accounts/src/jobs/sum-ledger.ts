import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import { addToSums, findUnsummed, lockMark } from "../store/ledger-sums.ts";

/** Organizations of one round. */
const ORGANIZATIONS = 50;
/** Entries of one transaction: 0.1 s of work. */
const ENTRIES = 20_000;

/** Adds new entries to the sums by day; returns how many organizations still have a full page or more, about. */
export async function sumLedger({
	sql,
}: Pick<Context, "sql">): Promise<number> {
	const found = await findUnsummed(sql, ORGANIZATIONS);
	let full = 0;
	for (const organizationId of found) {
		const added = await transaction(sql, async (sql) => {
			const mark = await lockMark(sql, organizationId);
			return addToSums(sql, organizationId, mark, ENTRIES);
		});
		if (added >= ENTRIES) full++;
	}
	return found.length === ORGANIZATIONS ? ORGANIZATIONS : full;
}
