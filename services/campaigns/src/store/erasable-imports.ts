import type { Tx } from "@airtower/platform/database/database";
import type {
	ErasableTable,
	Subject,
} from "@airtower/platform/privacy/erasable-table";
import { normalizePhoneNumber } from "@airtower/proto/rules/phone-number";

interface ImportRow {
	readonly campaignId: string;
	readonly position: number;
	readonly phones: string[];
	readonly country: string;
}

/** Rows of one step, of 5,000 numbers each. */
const STEP = 10;

/** Numbers as the client wrote them, until their campaign begins: they are read as the campaign would. */
export const erasableImports: ErasableTable = {
	name: "recipient_imports",
	erase: async (sql, subject, after) => {
		const rows = await findImports(sql, subject, after);
		let erased = 0;
		for (const row of rows) {
			const kept = row.phones.filter((phone) => !isOf(subject, phone, row));
			erased += row.phones.length - kept.length;
			if (kept.length < row.phones.length) await keep(sql, row, kept);
		}
		const last = rows.at(-1);
		const next = last && `${last.campaignId} ${last.position}`;
		return { erased, pending: 0, next };
	},
};

function isOf(
	{ phone }: Subject,
	written: string,
	{ country }: ImportRow,
): boolean {
	return (
		phone === undefined || normalizePhoneNumber(written, country) === phone
	);
}

async function findImports(
	sql: Tx,
	{ organizationId }: Subject,
	after: string,
): Promise<ImportRow[]> {
	const [campaignId = "", position = "0"] = after.split(" ");
	const isBehind =
		campaignId === ""
			? sql`true`
			: sql`(campaign_id, position) > (${campaignId}::uuid, ${Number(position)}::integer)`;
	return sql<ImportRow[]>`
		select
			campaign_id as "campaignId",
			position,
			phones,
			default_country as country
		from recipient_imports
		join campaigns on campaigns.id = campaign_id
		where ${isBehind}
		and ${organizationId === undefined ? sql`true` : sql`organization_id = ${organizationId}`}
		order by campaign_id, position
		limit ${STEP}
		for update of recipient_imports
	`;
}

/** A row may be left empty: the snapshot takes it away like any other. */
async function keep(
	sql: Tx,
	{ campaignId, position }: ImportRow,
	phones: readonly string[],
): Promise<void> {
	await sql`
		update recipient_imports
		set phones = ${[...phones]}::text[]
		where campaign_id = ${campaignId}
		and position = ${position}
	`;
}
