import type { Tx } from "@airtower/platform/database/database";
import { TAIL_DIGITS } from "../../domain/receipts/number-tails.ts";
import type { Receipt } from "../../domain/receipts/receipt.ts";
import type { PartMatch } from "../../domain/receipts/receipt-effects.ts";
import { keysOf } from "./given-receipts.ts";
import { ENDED, OPEN, partsOfKey } from "./parts-of-key.ts";

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

/** The result names receipts by their place in the list, from 1. */
export async function matchReceipts(
	sql: Tx,
	receipts: readonly Receipt[],
	limits: MatchLimits,
): Promise<PartMatch[]> {
	return matchKeys(sql, keysOf(sql, receipts), false, limits);
}

/**
 * One part of each receipt's first key that names any, with the number of open parts it names, counted to two: none
 * where only an open part to another number than the receipt names has its id, for operators use ids again. The response that gives the receipt's own
 * id may be on its way: a part that has ended is found only once every response has come, and by another form of the id
 * only an open part, whose number the receipt names or likewise.
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
				else count(*) over (partition by receipts.id, wanted.place, rank, is_named)
			end as hits
		from ${receipts}
		cross join lateral unnest(receipts.match_keys)
			with ordinality as wanted (key, place)
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
				when is_other then place = 1 and rank = ${OPEN}::integer
				when rank = ${ENDED}::integer then place = 1 and by_now
				else place = 1 or is_named or by_now
			end
			order by is_other, rank desc, is_named desc, message_id desc
			limit 2
		) as found
		order by receipts.id, is_other, wanted.place, rank desc, is_named desc
	`;
}

/** The receipt names a number that is neither the recipient's, unless that was erased, nor the sender's. */
const isOther = (sql: Tx) => sql`(
	recipient <> ''
	and right(recipient, ${TAIL_DIGITS}) <> all(receipts.number_tails)
	and not receipts.number_tails <@ array[right(sender_value, ${TAIL_DIGITS})]
)`;
