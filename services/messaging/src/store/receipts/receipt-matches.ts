import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { TAIL_DIGITS } from "../../domain/receipts/number-tails.ts";
import type { Receipt } from "../../domain/receipts/receipt.ts";
import type { PartMatch } from "../../domain/receipts/receipt-effects.ts";

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

/** The result names receipts by their place in the list, from 1. */
export async function matchReceipts(
	sql: Tx,
	receipts: readonly Receipt[],
	limits: MatchLimits,
): Promise<PartMatch[]> {
	return matchKeys(sql, keysOf(sql, receipts), limits);
}

/** How much a part can still be a receipt's: open ones come first, for operators use ids again. */
const OPEN = 2;
const OPEN_OF_ENDED_MESSAGE = 1;
export const ENDED = 0;
/** Parts of one id that are looked at, the newest: a good operator has one. */
const MOST_OF_AN_ID = 100;

/**
 * One part of each receipt's first key that names any, with the number of open parts it names, counted to two. The
 * response that gives the receipt's own id may be on its way: a part that has ended is found only once every response
 * has come, and by another form of the id only an open part, of a number that the receipt names or likewise.
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
			found.is_late as "isLate",
			case
				when rank = ${ENDED}::integer then 1
				else count(*) over (partition by receipts.id, wanted.place, rank)
			end as hits
		from ${receipts}
		cross join lateral unnest(receipts.match_keys)
			with ordinality as wanted (key, place)
		cross join lateral (
			select *
			from ${partsOfKey(sql, firstId)} as part
			cross join lateral (
				select receipts.received_at < now() - ${responseWaitMs} * interval '1 millisecond' as by_now
			) as answered
			where case
				when rank = ${ENDED}::integer then place = 1 and answered.by_now
				else place = 1
					or right(recipient, ${TAIL_DIGITS}) = any(receipts.number_tails)
					or receipts.number_tails = '{}' and answered.by_now
			end
			order by rank desc, message_id desc
			limit 2
		) as found
		order by receipts.id, wanted.place, rank desc
	`;
}

/** Parts that have the id `wanted.key` and were accepted before the receipt `receipts`. */
export const partsOfKey = (sql: Tx, firstId: string) => sql`(
	select
		parts.message_id,
		parts.number,
		parts.part_count,
		organization_id,
		recipient,
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
	and messages.accepted_at <= receipts.received_at
	order by parts.message_id desc
	limit ${MOST_OF_AN_ID}
)`;

const MATCHED = {
	operatorAccount: "text",
	key_1: "text",
	key_2: "text",
	key_3: "text",
	tail_1: "text",
	tail_2: "text",
} as const;

/** A relation named `receipts`, each with its place in the list as its id, from 1. */
export function keysOf(sql: Tx, receipts: readonly Receipt[]) {
	const rows = receipts.map(({ operatorAccount, matchKeys, numberTails }) => ({
		operatorAccount,
		...{ key_1: matchKeys[0], key_2: matchKeys[1], key_3: matchKeys[2] },
		...{ tail_1: numberTails[0], tail_2: numberTails[1] },
	}));
	return sql`(
		select
			id,
			operator_account,
			array_remove(array[key_1, key_2, key_3], null) as match_keys,
			array_remove(array[tail_1, tail_2], null) as number_tails,
			now() as received_at
		from ${unnest(sql, rows, MATCHED, { place: "id" })}
	) as receipts`;
}
