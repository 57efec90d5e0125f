import type { Tx } from "@airtower/platform/database/database";
import {
	type ErasableTable,
	foundTable,
	type Subject,
} from "@airtower/platform/privacy/erasable-table";
import {
	erasableDeadLetters,
	erasableResponses,
} from "@airtower/platform/privacy/event-tables";
import { deleteContacts } from "./contacts.ts";
import { erasableImports } from "./erasable-imports.ts";
import { erasableRecipients } from "./erasable-recipients.ts";

const contacts = foundTable(
	"contacts",
	(sql: Tx, { phone, organizationId }: Subject, limit) =>
		deleteContacts(
			sql,
			sql`
				select id
				from contacts
				where ${phone === undefined ? sql`true` : sql`phone = ${phone}`}
				and ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
				limit ${limit}
			`,
		),
);

/** Names and texts, where a whole organization is erased; those of a campaign under way go once it has ended. */
const campaigns: ErasableTable = {
	name: "campaigns",
	erase: async (sql: Tx, { phone, organizationId }: Subject) => {
		if (phone !== undefined || organizationId === undefined)
			return { erased: 0, pending: 0, next: undefined };
		const named = sql`organization_id = ${organizationId} and name <> 'erased-' || id`;
		const erased = await sql`
			update campaigns
			set name = 'erased-' || id, message_template = ''
			where ${named}
			and completed_at is not null
		`;
		const pending = await sql`
			select
			from campaigns
			where ${named}
		`;
		return { erased: erased.count, pending: pending.count, next: undefined };
	},
};

/** In the order in which they are erased: what brings recipients about goes first. */
export const erasableTables: readonly ErasableTable[] = [
	erasableResponses,
	contacts,
	erasableImports,
	erasableRecipients,
	campaigns,
	erasableDeadLetters,
];
