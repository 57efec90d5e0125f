import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { NumberedReceipt } from "../../domain/receipts/receipt-effects.ts";

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
	return sql<ParkedReceipt[]>`
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
		where due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`;
}

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
	const deleted = await sql`
		delete from receipts
		where id in (
			select id
			from receipts
			where misses > 0
			and received_at < now() - ${retentionMs} * interval '1 millisecond'
			limit ${limit}
		)
	`;
	return deleted.count;
}
