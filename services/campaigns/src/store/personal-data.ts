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
import { erasableCampaigns } from "./erasable-campaigns.ts";
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

/** In the order in which they are erased: what brings recipients about goes first. */
export const erasableTables: readonly ErasableTable[] = [
	erasableResponses,
	contacts,
	erasableImports,
	erasableRecipients,
	erasableCampaigns,
	erasableDeadLetters,
];
