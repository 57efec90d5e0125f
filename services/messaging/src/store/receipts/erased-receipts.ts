import type { Tx } from "@airtower/platform/database/database";
import type {
	ErasableTable,
	Subject,
} from "@airtower/platform/privacy/erasable-table";
import { LOWEST_ID } from "@airtower/platform/runtime/ids";
import { TAIL_DIGITS } from "../../domain/receipts/receipt.ts";
import { ENDED, partsOfKey } from "./receipt-matches.ts";

/** Stands for the ends of numbers: without any, another form of its id would find messages to every number. */
const ERASED = ["erased"];

/** Receipts that wait lose their text and numbers, unless a message may still be found by them. */
export const erasableReceipts: ErasableTable = {
	name: "receipts",
	erase: async (sql, subject) => {
		const isOf = sql`
			(raw <> '' or addresses <> '{}')
			and ${isNamed(sql, subject)}
			and ${isOwn(sql, subject)}
		`;
		const erased = await sql`
			update receipts
			set
				raw = '',
				addresses = '{}',
				number_tails = case when number_tails = '{}' then number_tails else ${ERASED} end
			where ${isOf}
			and not ${isNeeded(sql)}
		`;
		const pending = await sql`
			select
			from receipts
			where ${isOf}
		`;
		return { erased: erased.count, pending: pending.count, next: undefined };
	},
};

/** Operators leave out or add prefixes of numbers. */
function isNamed(sql: Tx, { phone }: Subject) {
	if (phone === undefined) return sql`true`;
	const digits = phone.slice(1);
	return sql`(
		position(${digits} in raw) > 0
		or exists (
			select
			from unnest(addresses) as written (address)
			cross join lateral ltrim(address, '0') as plain (address)
			where length(plain.address) >= ${TAIL_DIGITS}
			and right(${digits}, length(plain.address)) = plain.address
		)
	)`;
}

/** A receipt says no organization: only its id can. */
function isOwn(sql: Tx, { organizationId }: Subject) {
	if (organizationId === undefined) return sql`true`;
	return sql`exists (
		select
		from ${ownParts(sql)}
		where part.organization_id = ${organizationId}
	)`;
}

function isNeeded(sql: Tx) {
	return sql`(
		exists (
			select
			from unanswered
			where recipient_tail = any(number_tails)
		)
		or exists (
			select
			from dispatch
			join messages on messages.id = message_id
			where token is not null
			and right(recipient, ${TAIL_DIGITS}) = any(number_tails)
		)
		or exists (
			select
			from ${ownParts(sql)}
			where rank > ${ENDED}::integer
			and right(part.recipient, ${TAIL_DIGITS}) = any(number_tails)
		)
	)`;
}

const ownParts = (sql: Tx) => sql`
	unnest(match_keys) as wanted (key)
	cross join lateral ${partsOfKey(sql, LOWEST_ID)} as part
`;
