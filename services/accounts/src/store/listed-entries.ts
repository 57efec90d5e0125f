import type { Queryable } from "@airtower/platform/database/database";
import type { Channel, NewLedgerEntry } from "./ledger-entries.ts";
import { type Page, pageClauses } from "./page.ts";

/** One line as lists show it. */
export interface LedgerEntryRow
	extends Pick<NewLedgerEntry, "kind" | "units" | "balanceAfter" | "note"> {
	readonly id: string;
	readonly channel: Channel | null;
	readonly messageId: string | null;
	readonly campaignId: string | null;
	readonly createdAt: Date;
}

export async function listLedgerEntries(
	sql: Queryable,
	organizationId: string,
	page: Page,
): Promise<LedgerEntryRow[]> {
	return sql<LedgerEntryRow[]>`
		select
			id,
			kind,
			units,
			balance_after as "balanceAfter",
			channel,
			message_id as "messageId",
			campaign_id as "campaignId",
			note,
			created_at as "createdAt"
		from ledger_entries
		where organization_id = ${organizationId}
		${pageClauses(sql, page)}
	`;
}
