import type { Tx } from "@airtower/platform/database/database";
import type { PartMatch } from "../domain/receipts/receipt-effects.ts";
import {
	findOnlyPart,
	type UnansweredPart,
} from "../domain/receipts/unanswered.ts";
import { deleteUnknown } from "../store/dispatch/unknown-dispatch.ts";
import { insertParts } from "../store/parts.ts";
import type { ParkedReceipt } from "../store/receipts/receipts.ts";
import { deleteReceipted } from "../store/receipts/unanswered.ts";
import type { Candidate } from "../store/receipts/unanswered-candidates.ts";
import { recordAttempts } from "../store/recorded-attempts.ts";

interface Resolution extends UnansweredPart {
	readonly receipt: ParkedReceipt;
	readonly receiptsBefore: number;
}

/**
 * Takes receipts without a known id for the response to the only part that they fit: its message is submitted, and is
 * not sent again. Returns the parts that are theirs now.
 */
export async function resolveUnknown(
	sql: Tx,
	receipts: readonly ParkedReceipt[],
	candidates: readonly Candidate[],
): Promise<PartMatch[]> {
	const found = receipts.flatMap((receipt) =>
		toResolution(receipt, candidates),
	);
	if (found.length === 0) return [];
	const attempts = await deleteUnknown(
		sql,
		found.map(({ messageId }) => messageId),
	);
	const ids = new Set(attempts.map(({ id }) => id));
	const resolved = found.filter(({ messageId }) => ids.has(messageId));
	await Promise.all([
		recordAttempts(
			sql,
			attempts.map((attempt) => ({ ...attempt, status: "submitted" })),
		),
		insertParts(sql, firstOfEach(resolved).map(toPart)),
		deleteReceipted(sql, [...ids]),
	]);
	return resolved.map(({ receipt, receiptsBefore: _, ...part }) => ({
		...part,
		receiptId: receipt.id,
		hits: 1,
		isLate: false,
	}));
}

function toResolution(
	receipt: ParkedReceipt,
	candidates: readonly Candidate[],
): Resolution[] {
	const own = candidates.filter(({ receiptId }) => receiptId === receipt.id);
	const part = findOnlyPart(receipt.addresses, own);
	const message = own.find(({ messageId }) => messageId === part?.messageId);
	if (part === undefined || message === undefined) return [];
	return [{ ...part, receipt, receiptsBefore: message.receiptsBefore }];
}

function firstOfEach(resolutions: readonly Resolution[]): Resolution[] {
	return resolutions.filter(
		({ messageId }, place) =>
			resolutions.findIndex((one) => one.messageId === messageId) === place,
	);
}

function toPart({ receipt, ...part }: Resolution) {
	const { operatorAccount, operatorMessageId, operatorKey } = receipt;
	return { ...part, operatorAccount, operatorMessageId, operatorKey };
}
