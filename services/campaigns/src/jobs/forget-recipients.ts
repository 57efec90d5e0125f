import { transaction } from "@airtower/platform/database/database";
import type { Context } from "../context.ts";
import {
	blankNames,
	deleteRecipients,
	findOverdueNames,
	findOverdueNumbers,
	markKept,
} from "../store/kept-recipients.ts";

/** Recipients of one transaction. */
const STEP = 5_000;

/**
 * Of one ended campaign each, blanks its text and the names of its recipients after the time of texts and deletes them
 * after the time of records; its counts stay. Returns how many campaigns.
 */
export async function forgetRecipients(
	ctx: Context,
	signal: AbortSignal,
): Promise<number> {
	const { sql, retention } = ctx;
	const unnamed = await findOverdueNames(sql, retention.bodyDays);
	if (unnamed !== undefined) await forgetNames(ctx, unnamed, signal);
	const old = await findOverdueNumbers(sql, retention.recordMonths);
	if (old !== undefined) await forgetNumbers(ctx, old, signal);
	return [unnamed, old].filter((id) => id !== undefined).length;
}

async function forgetNames(
	{ sql }: Context,
	campaignId: string,
	signal: AbortSignal,
): Promise<void> {
	let after: string | undefined = "";
	while (after !== undefined) {
		if (signal.aborted) return;
		const from: string = after;
		after = await transaction(sql, (sql) =>
			blankNames(sql, campaignId, from, STEP),
		);
	}
	await markKept(sql, campaignId, "numbers");
}

async function forgetNumbers(
	{ sql }: Context,
	campaignId: string,
	signal: AbortSignal,
): Promise<void> {
	let isDone = false;
	while (!isDone) {
		if (signal.aborted) return;
		isDone = await transaction(sql, (sql) =>
			deleteRecipients(sql, campaignId, STEP),
		);
	}
	await markKept(sql, campaignId, "counts");
}
