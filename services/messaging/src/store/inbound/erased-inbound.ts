import {
	type ErasableTable,
	isSubject,
	scannedTable,
} from "@airtower/platform/privacy/erasable-table";

const columns = { phone: "sender", organization: "organization_id" };

/** Texts lose their phone and what they say; what is counted stays. */
export const erasableInbound: ErasableTable = scannedTable({
	name: "inbound_messages",
	page: (sql, subject, after, limit) => {
		const { organizationId } = subject;
		return sql`
			select id, ${isSubject(sql, subject, columns)} as is_subject, false as is_pending
			from inbound_messages
			where id > ${after}
			${organizationId === undefined ? sql`` : sql`and organization_id = ${organizationId}`}
			order by id
			limit ${limit}
		`;
	},
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
			where ${phone === undefined ? sql`true` : sql`sender = ${phone}`}
			and ${organizationId === undefined ? sql`true` : isOwn}
		`;
		return { erased: 0, pending: waiting.count, next: undefined };
	},
};
