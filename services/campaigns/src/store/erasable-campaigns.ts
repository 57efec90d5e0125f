import type { Tx } from "@airtower/platform/database/database";
import type {
	ErasableTable,
	Subject,
} from "@airtower/platform/privacy/erasable-table";

/** Name and text of an organization that is erased as a whole; those of a campaign under way go once it has ended. */
export const erasableCampaigns: ErasableTable = {
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
