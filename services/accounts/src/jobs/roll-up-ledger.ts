import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import { rollUp } from "../domain/roll-up.ts";
import { findOldDays, lockLines, storeRolls } from "../store/ledger-days.ts";

/** Organizations of one round. */
const DAYS = 20;
/** Lines of one transaction: a day of more takes several. */
const LINES = 5_000;

/** Makes one line a day of usage older than the retention of single lines; returns how many days it worked on. */
export async function rollUpLedger(ctx: Context): Promise<number> {
	const days = await findOldDays(ctx.sql, firstKept(ctx), DAYS);
	for (const day of days)
		await transaction(ctx.sql, async (sql) => {
			const lines = await lockLines(sql, day, LINES);
			await storeRolls(sql, rollUp(lines));
		});
	return days.length;
}

/** The first moment of the month from which on each line is kept. */
function firstKept({ clock, ledgerMonths }: Context): Date {
	const now = clock();
	return new Date(
		Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ledgerMonths, 1),
	);
}
