import type { Tx } from "@airtower/platform/database/database";
import {
	type ErasableTable,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";
import {
	nationalForms,
	normalizePhoneNumber,
} from "@airtower/proto/rules/phone-number";

/**
 * Some operators write phones of the receiving number's country without its code. What was no number of any country as
 * it came is stored without its plus.
 */
function isFrom(sql: Tx, phone: string) {
	const { forms, callingCode } = nationalForms(phone);
	const isKnown = normalizePhoneNumber(phone, "") !== undefined;
	return sql`(
		sender = ${phone}
		${isKnown ? sql`` : sql`or sender = ${phone.slice(1)}`}
		or sender = any(${[...forms]}::text[]) and starts_with(recipient, ${callingCode})
	)`;
}

/** Texts lose their phone and what they say; what is counted stays. */
export const erasableInbound: ErasableTable = scannedTable({
	name: "inbound_messages",
	page: (sql, { phone, organizationId }, after, limit) => sql`
		select
			id,
			${phone === undefined ? sql`sender <> ''` : isFrom(sql, phone)} as is_subject,
			false as is_pending
		from inbound_messages
		where id > ${after}
		${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
		order by id
		limit ${limit}
	`,
	erase: (sql, ids) => sql`
		update inbound_messages
		set sender = '', body = ''
		where id = any(${[...ids]}::uuid[])
	`,
});

/**
 * Parts wait for minutes, and become a text then: until then they keep their phone. Whose they will be is not known.
 */
export const erasableParts: ErasableTable = {
	name: "inbound_parts",
	erase: async (sql, { phone, organizationId }) => {
		const isOwn = sql`recipient in (
			select inbound_numbers.number
			from inbound_numbers
			where organization_id = ${organizationId ?? null}
		)`;
		const waiting = await sql`
			select
			from inbound_parts
			where ${phone === undefined ? sql`true` : isFrom(sql, phone)}
			and ${organizationId === undefined ? sql`true` : isOwn}
		`;
		return { erased: 0, pending: waiting.count, next: undefined };
	},
};
