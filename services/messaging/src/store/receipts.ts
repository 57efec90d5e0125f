import type { Queryable, Tx } from "@airtower/platform/database/database";
import { TAIL_DIGITS } from "../domain/number-tails.ts";
import type { Receipt } from "../domain/receipt.ts";
import type { NumberedReceipt, PartMatch } from "../domain/receipt-effects.ts";

export interface ParkedReceipt extends NumberedReceipt {
	readonly operatorAccount: string;
	readonly operatorMessageId: string;
	readonly misses: number;
}

export interface Parking {
	readonly delayMs: number | null;
}

/** Stores receipts that have been looked at once and found no part of their own. */
export async function insertReceipts(
	sql: Tx,
	receipts: readonly (Receipt & Parking)[],
): Promise<void> {
	if (receipts.length === 0) return;
	await sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, number_tails,
			state, reason, operator_error, raw, misses, due_at
		)
		select
			operator_account,
			operator_message_id,
			match_keys,
			number_tails,
			state, reason, operator_error, raw, 1, ${dueIn(sql, sql`delay_ms`)}
		from ${keysOf(sql, receipts)}
		join unnest(
			${receipts.map((receipt) => receipt.operatorMessageId)}::text[],
			${receipts.map((receipt) => receipt.state)}::text[],
			${receipts.map((receipt) => receipt.reason ?? null)}::text[],
			${receipts.map((receipt) => receipt.operatorError)}::text[],
			${receipts.map((receipt) => receipt.raw)}::text[],
			${receipts.map((receipt) => receipt.delayMs)}::float8[]
		) with ordinality as content (
			operator_message_id, state, reason, operator_error, raw, delay_ms, id
		) using (id)
		order by id
	`;
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

export interface MatchLimits {
	readonly firstId: string;
	/** A response to a submit comes within this time, unless it is late, ms. */
	readonly responseWaitMs: number;
}

export async function matchParkedReceipts(
	sql: Tx,
	ids: readonly number[],
	limits: MatchLimits,
): Promise<PartMatch[]> {
	if (ids.length === 0) return [];
	const stored = sql`(
		select id, operator_account, match_keys, number_tails, received_at
		from receipts
		where id = any(${[...ids]}::bigint[])
	) as receipts`;
	return matchKeys(sql, stored, limits);
}

/** Matches receipts that have just come; the result names them by their place in the list, from 1. */
export async function matchReceipts(
	sql: Tx,
	receipts: readonly Receipt[],
	limits: MatchLimits,
): Promise<PartMatch[]> {
	return matchKeys(sql, keysOf(sql, receipts), limits);
}

/**
 * One part of each receipt's first key that names any, with the number of parts it names, counted to two. Only messages
 * that were accepted before the receipt came are looked at, by the database's clock. One form of an id may also be that
 * of an earlier message, while the response that gives the receipt's own id is still on its way: by another form than
 * the first only an open part is found, of a number that the receipt names, or, when it names none, once every response
 * has come.
 */
async function matchKeys(
	sql: Tx,
	receipts: ReturnType<typeof keysOf>,
	{ firstId, responseWaitMs }: MatchLimits,
): Promise<PartMatch[]> {
	return sql<PartMatch[]>`
		select distinct on (receipts.id)
			receipts.id as "receiptId",
			found.message_id as "messageId",
			found.number,
			found.part_count as "partCount",
			count(*) over (partition by receipts.id, wanted.place) as hits
		from ${receipts}
		cross join lateral unnest(receipts.match_keys)
			with ordinality as wanted (key, place)
		cross join lateral (
			select parts.message_id, parts.number, parts.part_count
			from parts
			join messages on messages.id = parts.message_id
			where parts.operator_account = receipts.operator_account
			and parts.operator_key = wanted.key
			and parts.message_id >= ${firstId}
			and messages.id >= ${firstId}
			and messages.accepted_at <= receipts.received_at
			and (
				wanted.place = 1
				or parts.state = 'submitted'
				and (parts.part_count > 1 or messages.finished_at is null)
				and (
					right(messages.recipient, ${TAIL_DIGITS}) = any(receipts.number_tails)
					or receipts.number_tails = '{}'
					and receipts.received_at < now() - ${responseWaitMs} * interval '1 millisecond'
				)
			)
			limit 2
		) as found
		order by receipts.id, wanted.place
	`;
}

/** A relation named `receipts` of what receipts are matched by, each with its place in the list as its id, from 1. */
function keysOf(sql: Tx, receipts: readonly Receipt[]) {
	const nth = (list: "matchKeys" | "numberTails", place: number) =>
		receipts.map((receipt) => receipt[list][place] ?? null);
	return sql`(
		select
			id,
			operator_account,
			array_remove(array[key_1, key_2, key_3], null) as match_keys,
			array_remove(array[tail_1, tail_2], null) as number_tails,
			now() as received_at
		from unnest(
			${receipts.map((receipt) => receipt.operatorAccount)}::text[],
			${nth("matchKeys", 0)}::text[],
			${nth("matchKeys", 1)}::text[],
			${nth("matchKeys", 2)}::text[],
			${nth("numberTails", 0)}::text[],
			${nth("numberTails", 1)}::text[]
		) with ordinality as fresh (operator_account, key_1, key_2, key_3, tail_1, tail_2, id)
	) as receipts`;
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
			due_at = ${dueIn(sql, sql`parked.delay_ms`)}
		from unnest(
			${parked.map(({ id }) => id)}::bigint[],
			${parked.map(({ delayMs }) => delayMs)}::float8[]
		) as parked (id, delay_ms)
		where receipts.id = parked.id
	`;
}

const dueIn = (sql: Tx, delayMs: ReturnType<Tx>) => sql`
	coalesce(now() + ${delayMs} * interval '1 millisecond', 'infinity')
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
