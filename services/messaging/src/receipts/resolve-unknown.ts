import type { Tx } from "@airtower/platform/database/database";
import type { PartMatch } from "../domain/receipts/receipt.ts";
import type { UnansweredPart } from "../domain/receipts/unanswered.ts";
import { deleteUnknown } from "../store/dispatch/unknown-dispatch.ts";
import { recordAttempts } from "../store/message-updates.ts";
import { insertParts } from "../store/parts.ts";
import type { ParkedReceipt } from "../store/receipts/receipts.ts";
import { deleteReceipted } from "../store/receipts/unanswered.ts";

export interface Resolution extends UnansweredPart {
	readonly receipt: ParkedReceipt;
	readonly receiptsBefore: number;
}

/**
 * Takes receipts without a known id for the responses to these parts: their messages are submitted, and are not sent
 * again. Returns the parts that are theirs now.
 */
export async function resolveUnknown(
	sql: Tx,
	found: readonly Resolution[],
): Promise<PartMatch[]> {
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

function firstOfEach(resolutions: readonly Resolution[]): Resolution[] {
	return resolutions.filter(
		({ messageId }, index) =>
			resolutions.findIndex((one) => one.messageId === messageId) === index,
	);
}

function toPart({ receipt, ...part }: Resolution) {
	const { operatorAccount, operatorMessageId, operatorKey } = receipt;
	return { ...part, operatorAccount, operatorMessageId, operatorKey };
}
