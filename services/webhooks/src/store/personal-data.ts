import {
	type ErasableTable,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";
import { erasableDeadLetters } from "@airtower/platform/privacy/event-tables";
import {
	nationalForms,
	normalizePhoneNumber,
} from "@airtower/proto/rules/phone-number";
import { JSON_STRING } from "./event-texts.ts";

/** Bodies of some hundred bytes each. */
const EVENTS_PAGE = 2_000;

/** Members of an event's body that name a number: of who gets a message, wrote one, or opted out. */
const NUMBERS = ["to", "from", "recipient"] as const;
const NUMBER_OR_TEXT = `"(${NUMBERS.join("|")}|text)":${JSON_STRING}`;
const ANY_NUMBER = `"(${NUMBERS.join("|")})":"[^"]`;
/** Digits of the recipient. */
const NUMBER = '"to":"[+]([0-9]+)"';
const REFERENCE = `"client_reference":${JSON_STRING}`;

/**
 * What names a number in an event's body. Some operators write phones of the receiving number's country, which comes
 * next, without its code; what was no number of any country as it came has no plus.
 */
function namesOf(phone: string): string[] {
	const { forms, callingCode } = nationalForms(phone);
	const isKnown = normalizePhoneNumber(phone, "") !== undefined;
	return [
		...NUMBERS.map((name) => `"${name}":"${phone}"`),
		...forms.map((form) => `"from":"${form}","to":"${callingCode}`),
		...(isKnown ? [] : [`"from":"${phone.slice(1)}"`]),
	];
}

/**
 * An event stays, and goes to endpoints that still wait for it, without the number, also in the client's reference, and
 * without its text.
 */
const events = scannedTable({
	name: "events",
	pageRows: EVENTS_PAGE,
	page: (sql, { phone, organizationId }, after, limit) => sql`
		select
			id,
			${
				phone === undefined
					? sql`body ~ ${ANY_NUMBER}::text`
					: sql`exists (
						select
						from unnest(${namesOf(phone)}::text[]) as named (number)
						where position(number in body) > 0
					)`
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
			${NUMBER_OR_TEXT}::text,
			${String.raw`"\1":""`},
			'g'
		)
		where id = any(${[...ids]}::uuid[])
	`,
});

export const erasableTables: readonly ErasableTable[] = [
	erasableDeadLetters,
	events,
];
