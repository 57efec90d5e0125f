import type { Tx } from "@airtower/platform/database/database";

/** How much a part can still be a receipt's: open ones come first, for operators use ids again. */
export const OPEN = 2;

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
