import type { Tx } from "@airtower/platform/database/database";
import type { DeliveryContext } from "../context.ts";
import {
	findOnlyPart,
	pairAlike,
	type UnansweredPart,
} from "../domain/receipts/unanswered.ts";
import { matchParkedReceipts } from "../store/receipts/receipt-matches.ts";
import {
	claimReceiptsOf,
	type ParkedReceipt,
} from "../store/receipts/receipts.ts";
import {
	type Candidate,
	findUnanswered,
} from "../store/receipts/unanswered-candidates.ts";
import { parkedMatchLimits } from "./receive-receipts.ts";
import type { Resolution } from "./resolve-unknown.ts";

/** One call of `findAlike` reads at most this many receipts. */
const MOST_RECEIPTS = 100;

/** Finds messages without a response to a submit that these receipts may belong to. */
export function findCandidates(
	ctx: DeliveryContext,
	sql: Tx,
	receipts: readonly ParkedReceipt[],
): Promise<Candidate[]> {
	const ids = receipts.map(({ id }) => id);
	const routes = ctx.dispatchers.map(({ operator }) => operator);
	return findUnanswered(sql, ids, routes, parkedMatchLimits(ctx).firstId);
}

/** Resolves the receipts that fit one part only. */
export function findAlone(
	receipts: readonly ParkedReceipt[],
	candidates: readonly Candidate[],
): Resolution[] {
	return receipts.flatMap((receipt) => {
		const own = candidates.filter(({ receiptId }) => receiptId === receipt.id);
		const part = findOnlyPart(receipt.addresses, own);
		return part === undefined ? [] : toResolution(receipt, part, own);
	});
}

/**
 * Resolves receipts that fit several messages, as far as `pairAlike` can pair them. It compares their counts, so it
 * is given all receipts that may belong to these messages, not only those that are due.
 */
export async function findAlike(
	ctx: DeliveryContext,
	sql: Tx,
	receipts: readonly ParkedReceipt[],
	candidates: readonly Candidate[],
): Promise<Resolution[]> {
	const messageIds = receipts.flatMap(({ id }) => {
		const own = candidates.filter(({ receiptId }) => receiptId === id);
		return own.length > 1 ? own.map(({ messageId }) => messageId) : [];
	});
	if (messageIds.length === 0) return [];
	const all = await claimReceiptsOf(sql, messageIds, MOST_RECEIPTS);
	const ids = all.map(({ id }) => id);
	const found = await findCandidates(ctx, sql, all);
	const matches = await matchParkedReceipts(sql, ids, parkedMatchLimits(ctx));
	const parts = matches.filter(({ hits }) => hits > 0);
	const matched = new Set(parts.map(({ receiptId }) => receiptId));
	const stray = all
		.filter(({ id }) => !matched.has(id))
		.map((receipt) => ({
			...receipt,
			messages: found.filter(({ receiptId }) => receiptId === receipt.id),
		}));
	return pairAlike(stray).flatMap(({ receiptId, ...part }) =>
		stray
			.filter(({ id }) => id === receiptId)
			.flatMap((receipt) => toResolution(receipt, part, found)),
	);
}

function toResolution(
	receipt: ParkedReceipt,
	part: UnansweredPart,
	candidates: readonly Candidate[],
): Resolution[] {
	const { messageId } = part;
	const message = candidates.find((one) => one.messageId === messageId);
	if (message === undefined) return [];
	return [{ ...part, receipt, receiptsBefore: message.receiptsBefore }];
}
