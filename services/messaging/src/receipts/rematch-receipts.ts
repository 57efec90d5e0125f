import type { Tx } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import { parkingDelayMs, receiptEffects } from "../domain/receipts/receipt.ts";
import { matchParkedReceipts } from "../store/receipts/receipt-matches.ts";
import {
	deleteReceipts,
	type ParkedReceipt,
	parkReceipts,
} from "../store/receipts/receipts.ts";
import { findAlike, findAlone, findCandidates } from "./find-resolutions.ts";
import {
	endParts,
	parkedMatchLimits,
	reportReceipts,
} from "./receive-receipts.ts";
import { type Resolution, resolveUnknown } from "./resolve-unknown.ts";

type RematchedReceipts = Awaited<ReturnType<typeof rematchReceipts>>;

/** Looks again for the parts of parked receipts that this transaction holds, and of others that are told by these. */
export async function rematchReceipts(
	ctx: DeliveryContext,
	sql: Tx,
	found: readonly ParkedReceipt[],
) {
	const { matches, resolved, others } = await findParts(ctx, sql, found);
	const receipts = [...found, ...others].toSorted((a, b) => a.id - b.id);
	const effects = receiptEffects(receipts, [...matches, ...resolved]);
	const misses = new Map(receipts.map(({ id, misses }) => [id, misses]));
	const [finished] = await Promise.all([
		endParts(sql, effects.ends, ctx.routes),
		deleteReceipts(sql, effects.done),
		parkReceipts(sql, [
			...effects.unmatched.map((id) => ({
				id,
				delayMs: parkingDelayMs(misses.get(id) ?? 0),
			})),
			...effects.ambiguous.map((id) => ({ id, delayMs: null })),
		]),
	]);
	return { receipts, resolved, effects, finished };
}

/** To be called once that is committed. */
export function reportRematched(
	ctx: DeliveryContext,
	{ receipts, resolved, effects, finished }: RematchedReceipts,
): void {
	for (const { messageId } of resolved)
		ctx.log.info({ messageId }, "a receipt resolved an unknown message");
	countResolved(ctx, resolved, finished);
	reportReceipts(ctx, receipts, effects, finished);
}

/** No response counted their submission. */
function countResolved(
	{ traffic }: DeliveryContext,
	resolved: RematchedReceipts["resolved"],
	finished: RematchedReceipts["finished"],
): void {
	const ids = new Set(resolved.map(({ messageId }) => messageId));
	for (const { id, route, recipient, submittedAt } of finished)
		if (ids.has(id) && submittedAt !== null)
			traffic.countSubmitted(route, recipient, submittedAt);
}

/** Submits without a response first: one that is responded to in between is then found by its key. */
async function findParts(
	ctx: DeliveryContext,
	sql: Tx,
	receipts: readonly ParkedReceipt[],
) {
	const ids = receipts.map((receipt) => receipt.id);
	const candidates = await findCandidates(ctx, sql, receipts);
	const matches = await matchParkedReceipts(sql, ids, parkedMatchLimits(ctx));
	const found = matches.filter(({ hits }) => hits > 0);
	const matched = new Set(found.map(({ receiptId }) => receiptId));
	const others = receipts.filter(({ id }) => !matched.has(id));
	const alone = findAlone(others, candidates);
	const resolvedAlone = await resolveUnknown(sql, alone);
	const left = others.filter((one) => !isAmong(alone, one));
	const alike = await findAlike(ctx, sql, left, candidates);
	const resolvedAlike = await resolveUnknown(sql, alike);
	return {
		matches,
		resolved: [...resolvedAlone, ...resolvedAlike],
		others: alike.flatMap(({ receipt }) =>
			ids.includes(receipt.id) ? [] : [receipt],
		),
	};
}

function isAmong(resolutions: readonly Resolution[], { id }: ParkedReceipt) {
	return resolutions.some(({ receipt }) => receipt.id === id);
}
