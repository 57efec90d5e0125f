import type { Queryable, Tx } from "@airtower/platform/database/database";
import { type Page, pageClauses } from "./page.ts";

export type Channel = "sms" | "whatsapp";

/** One line of an organization's ledger. */
export interface NewLedgerEntry {
	readonly organizationId: string;
	readonly kind: "usage" | "release" | "grant" | "adjustment";
	readonly units: number;
	readonly balanceAfter: number;
	readonly channel: Channel | null;
	readonly messageId: string | null;
	readonly campaignId: string | null;
	readonly grantId: string | null;
	readonly note: string | null;
}

/** One line as lists show it. */
export interface LedgerEntryRow
	extends Omit<NewLedgerEntry, "organizationId" | "grantId"> {
	readonly id: string;
	readonly createdAt: Date;
}

/** Quota of an organization, units. */
export interface QuotaRow {
	readonly remaining: number;
	/** Taken by messages, what was given back taken off. */
	readonly used: number;
}

/** A message's reservation, of a known organization. */
export interface MessageOfOrganization {
	readonly organizationId: string;
	readonly messageId: string;
}

export interface ReservationRow extends MessageOfOrganization {
	readonly units: number;
	readonly balanceAfter: number;
	readonly channel: Channel;
	readonly campaignId: string | null;
	readonly released: boolean;
}

export interface GrantRow {
	readonly units: number;
	readonly balanceAfter: number;
}

/**
 * Appends entries; the caller holds the locks of their balances. Their time and ids are of this
 * statement, which begins after the locks were granted: an organization's entries are in order.
 */
export async function insertLedgerEntries(
	sql: Tx,
	entries: readonly NewLedgerEntry[],
): Promise<void> {
	await sql`
		insert into ledger_entries (
			created_at, id, organization_id, kind, units, balance_after,
			channel, message_id, campaign_id, grant_id, note
		)
		select statement_timestamp(), uuidv7(), new.*
		from unnest(
			${entries.map((entry) => entry.organizationId)}::uuid[],
			${entries.map((entry) => entry.kind)}::text[],
			${entries.map((entry) => entry.units)}::bigint[],
			${entries.map((entry) => entry.balanceAfter)}::bigint[],
			${entries.map((entry) => entry.channel)}::text[],
			${entries.map((entry) => entry.messageId)}::uuid[],
			${entries.map((entry) => entry.campaignId)}::uuid[],
			${entries.map((entry) => entry.grantId)}::uuid[],
			${entries.map((entry) => entry.note)}::text[]
		) as new
	`;
}

/**
 * Reservations of the messages, those given back included. One index look-up per message: the
 * lateral join with a limit keeps the planner from reading the table, however small it was when
 * the statement was prepared.
 */
export async function findReservations(
	sql: Tx,
	messages: readonly MessageOfOrganization[],
): Promise<ReservationRow[]> {
	return sql<ReservationRow[]>`
		select
			wanted.organization_id as "organizationId",
			wanted.message_id as "messageId",
			usage.units,
			usage.balance_after as "balanceAfter",
			usage.channel,
			usage.campaign_id as "campaignId",
			exists (
				select
				from ledger_entries r
				where r.organization_id = wanted.organization_id
				and r.message_id = wanted.message_id
				and r.kind = 'release'
			) as released
		from unnest(
			${messages.map((message) => message.organizationId)}::uuid[],
			${messages.map((message) => message.messageId)}::uuid[]
		) as wanted (organization_id, message_id)
		cross join lateral (
			select u.units, u.balance_after, u.channel, u.campaign_id
			from ledger_entries u
			where u.organization_id = wanted.organization_id
			and u.message_id = wanted.message_id
			and u.kind = 'usage'
			limit 1
		) as usage
	`;
}

/** The grant or adjustment with that identifier. */
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

/** One page of the organization's ledger, newest first, and one more. */
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

/**
 * The balance, and what was used since a time. The ledger is a chain, so nobody needs to add up its
 * usage: what was there, with what was granted since, is either left or used. More of what was taken
 * before may be given back than was used since: nothing counts as used then.
 */
export async function findQuotaSince(
	sql: Queryable,
	organizationId: string,
	since: Date,
): Promise<QuotaRow> {
	const [row] = await sql<[QuotaRow]>`
		select
			b.balance as remaining,
			greatest(coalesce(opening.balance_after, 0) + granted.units - b.balance, 0) as used
		from balances b
		left join lateral (
			select balance_after
			from ledger_entries
			where organization_id = ${organizationId}
			and created_at < ${since}
			order by created_at desc, id desc
			limit 1
		) as opening on true
		cross join lateral (
			select coalesce(sum(units), 0)::bigint as units
			from ledger_entries
			where organization_id = ${organizationId}
			and grant_id is not null
			and created_at >= ${since}
		) as granted
		where b.organization_id = ${organizationId}
	`;
	return row;
}
