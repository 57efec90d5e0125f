import type { Queryable } from "@airtower/platform/database/database";

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
