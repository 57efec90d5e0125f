import type { Queryable, Tx } from "@airtower/platform/database/database";
import type { Channel, NewLedgerEntry } from "./ledger-entries.ts";

/** Organizations with entries that are in no sum yet, those first whose sums are longest behind. */
export async function findUnsummed(
	sql: Queryable,
	limit: number,
): Promise<string[]> {
	const rows = await sql<{ id: string }[]>`
		select organization_id as id
		from balances
		left join ledger_marks using (organization_id)
		where dated_at > coalesce(summed_until, 'epoch')
		order by coalesce(summed_until, 'epoch')
		limit ${limit}
	`;
	return rows.map(({ id }) => id);
}

/** The organization's mark, locked until the end of the transaction: one process at a time adds to its sums. */
export async function lockMark(sql: Tx, organizationId: string): Promise<Date> {
	const [mark] = await sql<[{ summedUntil: Date }]>`
		insert into ledger_marks (organization_id, summed_until)
		values (${organizationId}, 'epoch')
		on conflict (organization_id) do update
		set summed_until = ledger_marks.summed_until
		returning summed_until as "summedUntil"
	`;
	return mark.summedUntil;
}

/**
 * Adds the oldest entries after the mark to their sums and moves the mark; returns how many these are, a few more than
 * the limit where several have one date. Entries become visible in the order of their dates, since whoever appends
 * holds the lock on the balance until its commit.
 */
export async function addToSums(
	sql: Tx,
	organizationId: string,
	summedUntil: Date,
	limit: number,
): Promise<number> {
	const moved = await sql<{ count: number }[]>`
		with page as materialized (
			select created_at, kind, channel, campaign_id, units, coalesce(rolled_up, 1) as entries
			from ledger_entries
			where organization_id = ${organizationId}
			and created_at > ${summedUntil}
			order by created_at
			fetch first ${limit} rows with ties
		), added as (
			insert into ledger_sums as sums (organization_id, day, kind, channel, campaign_id, units, entries)
			select ${organizationId}, ${dayOf(sql)}, kind, channel, campaign_id, sum(units), sum(entries)
			from page
			group by ${dayOf(sql)}, kind, channel, campaign_id
			on conflict on constraint ledger_sums_unique do update
			set units = sums.units + excluded.units, entries = sums.entries + excluded.entries
		)
		update ledger_marks
		set summed_until = newest.created_at
		from (
			select max(created_at) as created_at, count(*)::integer as count
			from page
		) as newest
		where organization_id = ${organizationId}
		and newest.count > 0
		returning newest.count
	`;
	return moved[0]?.count ?? 0;
}

/** Days of UTC, YYYY-MM-DD: from the first, inclusive, to the end, exclusive. */
interface Days {
	readonly first: string;
	readonly end: string;
}

interface LedgerSum {
	readonly day: string;
	readonly kind: NewLedgerEntry["kind"];
	readonly channel: Channel | null;
	/** Null for entries of no campaign, and where campaigns are put together. */
	readonly campaignId: string | null;
	readonly units: number;
	readonly entries: number;
}

/**
 * Sums of the ledger as it is now, the newest day first: those that are stored, and the entries after the mark. The
 * order of these makes the server go by the index that has their dates.
 */
export async function listLedgerSums(
	sql: Queryable,
	organizationId: string,
	{ first, end }: Days,
	{
		byCampaign,
		limit,
	}: { readonly byCampaign: boolean; readonly limit: number },
): Promise<LedgerSum[]> {
	return sql<LedgerSum[]>`
		with lines as (
			select day, kind, channel, campaign_id, units, entries
			from ledger_sums
			where organization_id = ${organizationId}
			and day >= ${first}
			and day < ${end}
			union all
			select ${dayOf(sql)}, kind, channel, campaign_id, units, coalesce(rolled_up, 1)
			from (
				select *
				from ledger_entries
				where organization_id = ${organizationId}
				and created_at > coalesce((
					select summed_until
					from ledger_marks
					where organization_id = ${organizationId}
				), 'epoch')
				and created_at >= ${first}::date::timestamp at time zone 'UTC'
				and created_at < ${end}::date::timestamp at time zone 'UTC'
				order by created_at
			) as unsummed
		), sums as (
			select
				day,
				kind,
				channel,
				${byCampaign ? sql`campaign_id` : sql`null::uuid`} as campaign_id,
				sum(units)::bigint as units,
				sum(entries)::bigint as entries
			from lines
			group by 1, 2, 3, 4
		)
		select day::text, kind, channel, campaign_id as "campaignId", units, entries
		from sums
		order by sums.day desc, kind, channel nulls first, campaign_id nulls first
		limit ${limit}
	`;
}

function dayOf(sql: Queryable) {
	return sql`(created_at at time zone 'UTC')::date`;
}
