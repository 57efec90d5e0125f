import type { Queryable, Tx } from "@airtower/platform/database/database";
import { toColumnList, unnest } from "@airtower/platform/database/unnest";
import { type Page, pageClauses } from "./page.ts";

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

/** One line as lists show it. */
export interface LedgerEntryRow
	extends Pick<NewLedgerEntry, "kind" | "units" | "balanceAfter" | "note"> {
	readonly id: string;
	readonly channel: Channel | null;
	readonly messageId: string | null;
	readonly campaignId: string | null;
	readonly createdAt: Date;
}

export interface MessageOfOrganization {
	readonly organizationId: string;
	readonly messageId: string;
}

const WANTED = { organizationId: "uuid", messageId: "uuid" } as const;

export interface ReservationRow extends MessageOfOrganization {
	readonly units: number;
	readonly channel: Channel;
	readonly campaignId: string | null;
	readonly released: boolean;
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

/** Reservations of the messages, those given back included. */
export async function findReservations(
	sql: Tx,
	messages: readonly MessageOfOrganization[],
): Promise<ReservationRow[]> {
	return sql<ReservationRow[]>`
		select
			wanted.organization_id as "organizationId",
			wanted.message_id as "messageId",
			usage.units,
			usage.channel,
			usage.campaign_id as "campaignId",
			usage.released
		from ${unnest(sql, messages, WANTED, { as: "wanted" })}
		cross join lateral ${usageOfWanted(sql)} as usage
	`;
}

/** The reservation of the message in `wanted`, by one look-up in the index. */
export function usageOfWanted(sql: Queryable) {
	return sql`(
		select
			u.units,
			u.balance_after,
			u.channel,
			u.campaign_id,
			exists (
				select
				from ledger_entries r
				where r.organization_id = wanted.organization_id
				and r.message_id = wanted.message_id
				and r.kind = 'release'
			) as released
		from ledger_entries u
		where u.organization_id = wanted.organization_id
		and u.message_id = wanted.message_id
		and u.kind = 'usage'
		limit 1
	)`;
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
