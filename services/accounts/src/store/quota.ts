import type { Queryable } from "@airtower/platform/database/database";

interface QuotaRow {
	readonly remaining: number;
	/** Taken by messages, what was given back taken off. */
	readonly used: number;
}

/** The ledger is a chain: the balance before, with what was granted since, is either left or used. */
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

/** Sum over all organizations of what a balance and the last line of its ledger are apart. */
export async function findQuotaDrift(sql: Queryable): Promise<number> {
	const [row] = await sql<[{ units: number }]>`
		select coalesce(sum(abs(balance - coalesce(newest.balance_after, 0))), 0)::bigint as units
		from balances
		left join lateral (
			select balance_after
			from ledger_entries
			where ledger_entries.organization_id = balances.organization_id
			order by created_at desc, id desc
			limit 1
		) as newest on true
	`;
	return row.units;
}
