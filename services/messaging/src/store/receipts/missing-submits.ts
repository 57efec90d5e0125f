import type { Queryable } from "@airtower/platform/database/database";

/** For `with`: the submits without a response of these messages. */
export const missingSubmits = (
	sql: Queryable,
	messageIds: readonly string[],
) => sql`
	missing as materialized (
		select recipient_tail, sent_at
		from unnest(${[...messageIds]}::uuid[]) as given (id)
		cross join lateral (
			select recipient_tail, sent_at
			from unanswered
			where message_id = given.id
			offset 0
		) as submits
	)
`;

/** Parked receipts that came after one of these submits and name one of their numbers. */
export const mayBeOfMissing = (sql: Queryable) => sql`
	misses > 0
	and received_at >= (select min(sent_at) from missing)
	and number_tails && array(select recipient_tail from missing)
	and due_at < 'infinity'
`;
