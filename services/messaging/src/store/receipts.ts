import type { Queryable, Tx } from "@airtower/platform/database/database";
import { TAIL_DIGITS } from "../domain/number-tails.ts";
import type { PartMatch, StoredReceipt } from "../domain/receipt-effects.ts";
import { MAX_SUBMIT_MS, type Receipt } from "../operators/operator.ts";
import { groupAlike } from "./groups.ts";

export interface ReceiptRow extends StoredReceipt {
	readonly operatorAccount: string;
	readonly operatorMessageId: string;
	/** Looks that found no part so far. */
	readonly misses: number;
}

/** An answer to a submit comes within this time, unless it is late, ms. */
const ANSWER_WAIT_MS = MAX_SUBMIT_MS + 25_000;

export async function insertReceipts(
	sql: Queryable,
	receipts: readonly Receipt[],
): Promise<void> {
	await sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, number_tails,
			state, reason, operator_error, raw
		)
		select
			operator_account,
			operator_message_id,
			array_remove(array[key_1, key_2, key_3], null),
			array_remove(array[tail_1, tail_2], null),
			state, reason, operator_error, raw
		from unnest(
			${receipts.map((receipt) => receipt.operatorAccount)}::text[],
			${receipts.map((receipt) => receipt.operatorMessageId)}::text[],
			${receipts.map((receipt) => receipt.matchKeys[0] ?? null)}::text[],
			${receipts.map((receipt) => receipt.matchKeys[1] ?? null)}::text[],
			${receipts.map((receipt) => receipt.matchKeys[2] ?? null)}::text[],
			${receipts.map((receipt) => receipt.numberTails[0] ?? null)}::text[],
			${receipts.map((receipt) => receipt.numberTails[1] ?? null)}::text[],
			${receipts.map((receipt) => receipt.state)}::text[],
			${receipts.map((receipt) => receipt.reason ?? null)}::text[],
			${receipts.map((receipt) => receipt.operatorError)}::text[],
			${receipts.map((receipt) => receipt.raw)}::text[]
		) as fresh (
			operator_account, operator_message_id, key_1, key_2, key_3, tail_1, tail_2,
			state, reason, operator_error, raw
		)
	`;
}

/** Takes due receipts, oldest first, for this transaction; rows held by others are passed over. */
export async function claimReceipts(
	sql: Tx,
	limit: number,
): Promise<ReceiptRow[]> {
	return sql<ReceiptRow[]>`
		select
			id,
			operator_account as "operatorAccount",
			operator_message_id as "operatorMessageId",
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

/**
 * One part of each receipt's first key that names any, with the number of parts it names, counted to two.
 * Only parts of messages are looked at whose ids are not below `first`, and that were accepted before the receipt
 * came, by the database's clock: operators give ids again, and one form of an id may be another form of a
 * later one. It may also be that of an earlier one, while the answer that gives the receipt's own id is still on
 * its way: by another form than the first only an open part is found, of a number that the receipt names, or,
 * when it names none, once every answer has come.
 * The ids have no upper bound: the planner believes that two bounds leave one row in two hundred whatever they are,
 * and would search a partition of a few hundred parts by them in place of the key, and go on so once it is full.
 */
export async function matchReceipts(
	sql: Tx,
	receiptIds: readonly number[],
	first: string,
): Promise<PartMatch[]> {
	return sql<PartMatch[]>`
		select distinct on (receipts.id)
			receipts.id as "receiptId",
			found.message_id as "messageId",
			found.number,
			found.part_count as "partCount",
			count(*) over (partition by receipts.id, wanted.place) as hits
		from receipts
		cross join lateral unnest(receipts.match_keys)
			with ordinality as wanted (key, place)
		cross join lateral (
			select parts.message_id, parts.number, parts.part_count
			from parts
			join messages on messages.id = parts.message_id
			where parts.operator_account = receipts.operator_account
			and parts.operator_key = wanted.key
			and parts.message_id >= ${first}
			and messages.id >= ${first}
			and messages.accepted_at <= receipts.received_at
			and (
				wanted.place = 1
				or parts.state = 'submitted'
				and (
					right(messages.recipient, ${TAIL_DIGITS}) = any(receipts.number_tails)
					or receipts.number_tails = '{}'
					and receipts.received_at < now() - ${ANSWER_WAIT_MS} * interval '1 millisecond'
				)
			)
			limit 2
		) as found
		where receipts.id = any(${[...receiptIds]}::bigint[])
		order by receipts.id, wanted.place
	`;
}

/** Puts receipts aside until a delay is over; null keeps them for a person to look at. */
export async function parkReceipts(
	sql: Tx,
	parked: readonly { readonly id: number; readonly delayMs: number | null }[],
): Promise<void> {
	const groups = groupAlike(parked, ({ delayMs }) => ({ delayMs }));
	await Promise.all(
		groups.map(
			({ shared, items }) => sql`
				update receipts
				set
					misses = misses + 1,
					due_at = coalesce(
						now() + ${shared.delayMs}::float8 * interval '1 millisecond',
						'infinity'
					)
				where id = any(${items.map((one) => one.id)}::bigint[])
			`,
		),
	);
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

/** Deletes up to `limit` receipts that have waited too long; answers how many. */
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
