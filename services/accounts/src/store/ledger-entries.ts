import type { Queryable, Tx } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";

export type Channel = "sms" | "whatsapp";

export interface NewLedgerEntry {
	readonly organizationId: string;
	readonly kind: "usage" | "release" | "grant" | "adjustment";
	readonly units: number;
	readonly balanceAfter: number;
	readonly channel?: Channel;
	readonly messageId?: string;
	readonly campaignId?: string | null;
	readonly grantId?: string;
	readonly note: string | null;
}

const ENTRY = {
	organizationId: "uuid",
	kind: "text",
	units: "bigint",
	balanceAfter: "bigint",
	channel: "text",
	messageId: "uuid",
	campaignId: "uuid",
	grantId: "uuid",
	note: "text",
} as const;

export interface MessageOfOrganization {
	readonly organizationId: string;
	readonly messageId: string;
}

export interface GrantRow {
	readonly units: number;
	readonly balanceAfter: number;
}

/**
 * Appends entries to balances that the caller has locked and updated: these have the entries' date. Their ids follow
 * each other, so an organization's entries are in order.
 */
export async function insertLedgerEntries(
	sql: Tx,
	entries: readonly NewLedgerEntry[],
): Promise<void> {
	await sql`
		insert into ledger_entries (created_at, id, ${toColumnList(sql, ENTRY)})
		select
			(
				select dated_at
				from balances
				where balances.organization_id = given.organization_id
			),
			uuidv7(),
			given.*
		from ${unnest(sql, entries, ENTRY)}
	`;
}

export async function findGrant(
	sql: Queryable,
	organizationId: string,
	grantId: string,
): Promise<GrantRow | undefined> {
	const [row] = await sql<GrantRow[]>`
		select units, balance_after as "balanceAfter"
		from ledger_entries
		where organization_id = ${organizationId}
		and grant_id = ${grantId}
	`;
	return row;
}
