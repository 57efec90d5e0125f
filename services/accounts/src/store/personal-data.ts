import {
	type ErasableTable,
	foundTable,
} from "@airtower/platform/privacy/erasable-table";
import {
	erasableDeadLetters,
	erasableResponses,
} from "@airtower/platform/privacy/event-tables";

/** Who an organization is goes when it is erased as a whole; its id, balance, ledger, keys and audit stay. */
const organizations = foundTable(
	"organizations",
	async (sql, { phone, organizationId }) => {
		if (phone !== undefined || organizationId === undefined) return 0;
		const erased = await sql`
			update organizations
			set name = 'erased-' || id, email = 'erased@invalid'
			where id = ${organizationId}
			and name <> 'erased-' || id
		`;
		return erased.count;
	},
);

/** Names that people gave to keys. */
const apiKeys = foundTable(
	"api_keys",
	async (sql, { phone, organizationId }, limit) => {
		if (phone !== undefined || organizationId === undefined) return 0;
		const erased = await sql`
			update api_keys
			set name = 'erased-' || id
			where id in (
				select id
				from api_keys
				where organization_id = ${organizationId}
				and name <> 'erased-' || id
				limit ${limit}
			)
		`;
		return erased.count;
	},
);

export const erasableTables: readonly ErasableTable[] = [
	erasableResponses,
	erasableDeadLetters,
	organizations,
	apiKeys,
];
