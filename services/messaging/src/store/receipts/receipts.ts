import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import type postgres from "postgres";
import type { NumberedReceipt } from "../../domain/receipts/receipt-effects.ts";
import { mayBeOfMissing, missingSubmits } from "./missing-submits.ts";

export interface ParkedReceipt extends NumberedReceipt {
	readonly operatorAccount: string;
	readonly operatorMessageId: string;
	/** The first of its keys. */
	readonly operatorKey: string;
	readonly addresses: readonly string[];
	readonly misses: number;
}

/** Takes due receipts, oldest first, for this transaction; rows held by others are passed over. */
export async function claimReceipts(
	sql: Tx,
	limit: number,
): Promise<ParkedReceipt[]> {
	return byIndex(sql, (sql) => claim(sql, sql`due_at <= now()`, limit));
}

/** The same for receipts that may be of these unknown messages, due or not. */
export async function claimReceiptsOf(
	sql: Tx,
	messageIds: readonly string[],
	limit: number,
): Promise<ParkedReceipt[]> {
	const own = (sql: Tx) => sql`id = any(array(
		with ${missingSubmits(sql, messageIds)}
		select id
		from receipts
		where ${mayBeOfMissing(sql)}
	))`;
	return byIndex(sql, (sql) => claim(sql, own(sql), limit));
}

const claim = (sql: Tx, where: postgres.Fragment, limit: number) =>
	sql<ParkedReceipt[]>`
		select
			id,
			operator_account as "operatorAccount",
			operator_message_id as "operatorMessageId",
			match_keys[1] as "operatorKey",
			addresses,
			state,
			reason,
			operator_error as "operatorError",
			misses
		from receipts
		where ${where}
		order by due_at
		limit ${limit}
		for update skip locked
	`;

export async function deleteReceipts(
	sql: Tx,
	ids: readonly number[],
): Promise<void> {
	if (ids.length === 0) return;
	await sql`
		delete from receipts
		where id = any(${[...ids]}::bigint[])
	`;
}

/** Deletes up to `limit` receipts that have waited too long; returns how many. */
export async function deleteExpiredReceipts(
	sql: Queryable,
	retentionMs: number,
	limit: number,
): Promise<number> {
	const isOld = sql`
		misses > 0
		and received_at < now() - ${retentionMs} * interval '1 millisecond'
	`;
	return deleteBatch(sql, "receipts", isOld, limit);
}
