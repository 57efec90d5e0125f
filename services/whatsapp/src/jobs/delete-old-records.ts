import { addMonths } from "@airtower/platform/runtime/clock";
import type { Context } from "../context.ts";
import {
	deleteOldConversations,
	deleteOldMessages,
} from "../store/old-records.ts";

/** Rows of one statement: small enough to keep no lock for long. */
const BATCH = 2_000;

/**
 * Deletes messages that are older than the months that records are kept, and conversations whose last message is;
 * returns how many rows.
 */
export async function deleteOldRecords(ctx: Context): Promise<number> {
	const { sql, clock, limits } = ctx;
	const before = addMonths(clock(), -limits.recordMonths);
	return (
		(await deleteOldMessages(sql, before, BATCH)) +
		(await deleteOldConversations(sql, before, BATCH))
	);
}
