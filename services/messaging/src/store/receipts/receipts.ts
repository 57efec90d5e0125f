import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";
import type postgres from "postgres";
import type {
	NumberedReceipt,
	Receipt,
} from "../../domain/receipts/receipt.ts";
import { keysOf } from "./receipt-matches.ts";

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

/** For `with`: the submits without a response of these messages. */
export const missingSubmits = (
	sql: Queryable,
	messageIds: readonly string[],
) => sql`
	missing as materialized (
		select recipient_tail, receipts_before
		from unnest(${[...messageIds]}::uuid[]) as given (id)
		cross join lateral (
			select recipient_tail, receipts_before
			from unanswered
			where message_id = given.id
			offset 0
		) as submits
	)
`;

/** Parked receipts that came after one of these submits and name one of their numbers; found by their ids. */
export const mayBeOfMissing = (sql: Queryable) => sql`
	id > (select min(receipts_before) from missing)
	and number_tails && array(select recipient_tail from missing)
	and isfinite(due_at)
`;

interface Parking {
	/** Null: it is not looked at again. */
	readonly delayMs: number | null;
}

const CONTENT = {
	operatorMessageId: "text",
	address_1: "text",
	address_2: "text",
	state: "text",
	reason: "text",
	operatorError: "text",
	raw: "text",
	delayMs: "float8",
} as const;

/** Stores receipts that have been looked at once. */
export async function insertReceipts(
	sql: Tx,
	receipts: readonly (Receipt & Parking)[],
): Promise<void> {
	if (receipts.length === 0) return;
	const contents = receipts.map((receipt) => ({
		...receipt,
		address_1: receipt.addresses[0],
		address_2: receipt.addresses[1],
	}));
	await sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, number_tails,
			addresses, state, reason, operator_error, raw, misses, due_at
		)
		select
			operator_account,
			operator_message_id,
			match_keys,
			number_tails,
			array_remove(array[address_1, address_2], null),
			state, reason, operator_error, raw, 1, ${dueIn(sql, sql`delay_ms`)}
		from ${keysOf(sql, receipts)}
		join ${unnest(sql, contents, CONTENT, { ordinal: "id" })} using (id)
		order by id
	`;
}

export async function parkReceipts(
	sql: Tx,
	parked: readonly (Parking & { readonly id: number })[],
): Promise<void> {
	if (parked.length === 0) return;
	await sql`
		update receipts
		set
			misses = misses + 1,
			due_at = ${dueIn(sql, sql`given.delay_ms`)}
		from ${unnest(sql, parked, { id: "bigint", delayMs: "float8" })}
		where receipts.id = given.id
	`;
}

const dueIn = (sql: Tx, delayMs: ReturnType<Tx>) => sql`
	coalesce(now() + ${delayMs} * interval '1 millisecond', 'infinity')
`;
