import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import {
	type PartMatch,
	type Receipt,
	TAIL_DIGITS,
} from "../../domain/receipts/receipt.ts";

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
	return matchKeys(sql, stored, true, limits);
}

/** The result names receipts by their index in the list, from 1. */
export async function matchReceipts(
	sql: Tx,
	receipts: readonly Receipt[],
	limits: MatchLimits,
): Promise<PartMatch[]> {
	return matchKeys(sql, keysOf(sql, receipts), false, limits);
}

/**
 * One part of each receipt's first key that names any, with the number of open parts it names, counted to two: none
 * where only an open part to another number than the receipt names has its id, for operators use ids again. The
 * response that gives the receipt's own id may be on its way: a part that has ended is found only once every response
 * has come, and by another form of the id only an open part, whose number the receipt names or likewise.
 */
async function matchKeys(
	sql: Tx,
	receipts: ReturnType<typeof keysOf>,
	isStored: boolean,
	{ firstId, responseWaitMs }: MatchLimits,
): Promise<PartMatch[]> {
	return sql<PartMatch[]>`
		select distinct on (receipts.id)
			receipts.id as "receiptId",
			found.message_id as "messageId",
			found.number,
			found.part_count as "partCount",
			found.is_late as "isLate",
			case
				when is_other then 0
				when rank = ${ENDED}::integer then 1
				else count(*) over (partition by receipts.id, wanted.ordinal, rank, is_named)
			end as hits
		from ${receipts}
		cross join lateral unnest(receipts.match_keys)
			with ordinality as wanted (key, ordinal)
		cross join lateral (
			select *
			from ${partsOfKey(sql, firstId, isStored)} as part
			cross join lateral (
				select
					right(recipient, ${TAIL_DIGITS}) = any(receipts.number_tails) as is_named,
					${isOther(sql)} as is_other,
					receipts.received_at < now() - ${responseWaitMs} * interval '1 millisecond' as by_now
			) as known
			where case
				when is_other then ordinal = 1 and rank = ${OPEN}::integer
				when rank = ${ENDED}::integer then ordinal = 1 and by_now
				else ordinal = 1 or is_named or by_now
			end
			order by is_other, rank desc, is_named desc, message_id desc
			limit 2
		) as found
		order by receipts.id, is_other, wanted.ordinal, rank desc, is_named desc
	`;
}

/** The receipt names a number that is neither the recipient's, unless that was erased, nor the sender's. */
const isOther = (sql: Tx) => sql`(
	recipient <> ''
	and right(recipient, ${TAIL_DIGITS}) <> all(receipts.number_tails)
	and not receipts.number_tails <@ array[right(sender_value, ${TAIL_DIGITS})]
)`;

const MATCHED = {
	operatorAccount: "text",
	key_1: "text",
	key_2: "text",
	key_3: "text",
	tail_1: "text",
	tail_2: "text",
} as const;

/** A relation named `receipts`, each with its index in the list, from 1, as its id. */
export function keysOf(sql: Tx, receipts: readonly Receipt[]) {
	const rows = receipts.map(({ operatorAccount, matchKeys, numberTails }) => ({
		operatorAccount,
		key_1: matchKeys[0],
		key_2: matchKeys[1],
		key_3: matchKeys[2],
		tail_1: numberTails[0],
		tail_2: numberTails[1],
	}));
	return sql`(
		select
			id,
			operator_account,
			array_remove(array[key_1, key_2, key_3], null) as match_keys,
			array_remove(array[tail_1, tail_2], null) as number_tails,
			now() as received_at
		from ${unnest(sql, rows, MATCHED, { ordinal: "id" })}
	) as receipts`;
}

/** How much a part can still be a receipt's: open ones come first, for operators use ids again. */
const OPEN = 2;

const OPEN_OF_ENDED_MESSAGE = 1;

export const ENDED = 0;

/** Parts of one id that are looked at, the newest: a good operator has one. */
const MOST_OF_AN_ID = 100;

/** Parts that have the id `wanted.key` and, of stored receipts, were claimed before the receipt `receipts` came. */
export const partsOfKey = (sql: Tx, firstId: string, isStored = true) => sql`(
	select
		parts.message_id,
		parts.number,
		parts.part_count,
		organization_id,
		recipient,
		sender_value,
		reason is not distinct from 'no_receipt' as is_late,
		case
			when parts.state <> 'submitted' then ${ENDED}::integer
			when finished_at is null then ${OPEN}::integer
			when parts.part_count > 1 then ${OPEN_OF_ENDED_MESSAGE}::integer
			else ${ENDED}::integer
		end as rank
	from parts
	join messages on messages.id = parts.message_id
	where parts.operator_account = receipts.operator_account
	and parts.operator_key = wanted.key
	and parts.message_id >= ${firstId}
	and messages.id >= ${firstId}
	${isStored ? sql`and receipts_before < receipts.id` : sql``}
	order by parts.message_id desc
	limit ${MOST_OF_AN_ID}
)`;
