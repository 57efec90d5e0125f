import {
	type ErasableTable,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";
import { erasableDeadLetters } from "@airtower/platform/privacy/event-tables";

/** Bodies of some hundred bytes each. */
const EVENTS_PAGE = 2_000;

/** Digits of the recipient. */
const NUMBER = '"to":"[+]([0-9]+)"';
const REFERENCE = String.raw`"client_reference":"(?:[^"\\]|\\.)*"`;

/** An event stays, and goes to endpoints that still wait for it, without the number, also in the client's reference. */
const events = scannedTable({
	name: "events",
	pageRows: EVENTS_PAGE,
	page: (sql, { phone, organizationId }, after, limit) => sql`
		select
			id,
			${
				phone === undefined
					? sql`body ~ '"to":"[^"]'`
					: sql`position(${`"to":"${phone}"`} in body) > 0`
			}
				${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`} as is_subject,
			false as is_pending
		from events
		where id > ${after}
		order by id
		limit ${limit}
	`,
	erase: (sql, ids) => sql`
		update events
		set body = regexp_replace(
			case
				when position(
					substring(body from ${NUMBER}::text) in
					regexp_replace(substring(body from ${REFERENCE}::text), '[^0-9]', '', 'g')
				) > 0
				then regexp_replace(body, ${REFERENCE}::text, '"client_reference":null')
				else body
			end,
			'"to":"[^"]*"',
			'"to":""'
		)
		where id = any(${[...ids]}::uuid[])
	`,
});

export const erasableTables: readonly ErasableTable[] = [
	erasableDeadLetters,
	events,
];
