import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import { TAIL_DIGITS } from "../../domain/receipts/receipt.ts";
import {
	MOST_OF_A_NUMBER,
	type UnansweredMessage,
} from "../../domain/receipts/unanswered.ts";
import { partsOfKey } from "./receipt-matches.ts";

export interface Candidate extends UnansweredMessage {
	readonly receiptId: number;
	readonly receiptsBefore: number;
}

interface RouteOfReceipts {
	readonly code: string;
	readonly account: string;
	readonly mayAddParts: boolean;
}

const ROUTE = {
	code: "text",
	account: "text",
	mayAddParts: "boolean",
} as const;
/** A text of at most this many octets of UTF-8 fits in one part, in any encoding. */
const ALWAYS_ONE_PART = 70;

/**
 * Finds messages that these receipts may belong to: of the same operator account and recipient, submitted before the
 * receipt came, and without a response. Messages that are being submitted count only beside such a one, since their
 * response may still come. A receipt has no candidates when a part to a number that it names has its id, in any form:
 * operators send receipts again.
 */
export async function findUnanswered(
	sql: Tx,
	receiptIds: readonly number[],
	routes: readonly RouteOfReceipts[],
	firstId: string,
): Promise<Candidate[]> {
	if (receiptIds.length === 0) return [];
	return sql<Candidate[]>`
		with unmatched as materialized (
			select receipts.id, given.code as route, may_add_parts, number_tails
			from receipts
			join ${unnest(sql, routes, ROUTE)} on account = operator_account
			where receipts.id = any(${[...receiptIds]}::bigint[])
			and not exists (
				select
				from unnest(match_keys) as wanted (key)
				cross join lateral ${partsOfKey(sql, firstId)} as part
				where right(part.recipient, ${TAIL_DIGITS}) = any(number_tails)
			)
		),
		without_response as materialized (
			select unmatched.id as receipt_id, found.message_id, may_add_parts
			from unmatched
			cross join lateral unnest(number_tails) as named (tail)
			cross join lateral (
				select message_id
				from unanswered
				where recipient_tail = named.tail
				and receipts_before < unmatched.id
				and unanswered.route = unmatched.route
				limit ${MOST_OF_A_NUMBER}
			) as found
		),
		under_way as materialized (
			select unmatched.id as receipt_id, work.message_id, may_add_parts
			from dispatch as work
			join messages on messages.id = work.message_id
			join unmatched on unmatched.route = work.route
				and right(recipient, ${TAIL_DIGITS}) = any(number_tails)
				and work.receipts_before < unmatched.id
			where work.token is not null
			and exists (select from without_response)
		)
		select
			receipt_id as "receiptId",
			messages.id as "messageId",
			recipient,
			sender_value as sender,
			coalesce(
				part_count,
				case
					when not may_add_parts or octet_length(body) <= ${ALWAYS_ONE_PART}
						then messages.segments
				end
			) as "partCount",
			array(
				select number
				from parts
				where message_id = messages.id
			) as "takenParts",
			coalesce(work.unknown, false) as "isUnknown",
			work.token is not null as "isOnItsWay",
			(
				select count(*)
				from unanswered
				where message_id = messages.id
			) as submits,
			exists (
				select
				from unanswered
				where message_id = messages.id
				and known_parts < (
					select count(*)
					from parts
					where message_id = messages.id
				)
			) as "hasNewParts",
			coalesce(work.receipts_before, 0) as "receiptsBefore"
		from (table without_response union table under_way) as candidates
		join messages on messages.id = candidates.message_id
		left join dispatch as work on work.message_id = messages.id
	`;
}
