import type { Queryable } from "@airtower/platform/database";
import { expect } from "vitest";

export interface LedgerLine {
	readonly kind: string;
	readonly units: number;
	readonly balanceAfter: number;
	readonly messageId: string | null;
	readonly note: string | null;
}

/** An organization's ledger, oldest entry first. */
export function ledgerOf(
	sql: Queryable,
	organizationId: string,
): Promise<LedgerLine[]> {
	return sql<LedgerLine[]>`
		select
			kind,
			units,
			balance_after as "balanceAfter",
			message_id as "messageId",
			note
		from ledger_entries
		where organization_id = ${organizationId}
		order by created_at, id
	`;
}

/**
 * What must hold of every organization at any time: the ledger sums to the balance, no balance was
 * ever negative, each entry follows from the one before, and nothing was given back that was not taken.
 */
export async function expectSoundLedgers(sql: Queryable): Promise<void> {
	const unsound = await sql`
		with lines as (
			select
				*,
				sum(units) over (
					partition by organization_id
					order by created_at, id
				) as running
			from ledger_entries
		)
		select 'broken chain' as problem, organization_id
		from lines
		where balance_after <> running
		or balance_after < 0
		union all
		select 'sum differs from balance', b.organization_id
		from balances b
		left join ledger_entries e on e.organization_id = b.organization_id
		group by b.organization_id, b.balance
		having b.balance <> coalesce(sum(e.units), 0)
		union all
		select 'release without usage', r.organization_id
		from ledger_entries r
		where r.kind = 'release'
		and not exists (
			select
			from ledger_entries u
			where u.organization_id = r.organization_id
			and u.message_id = r.message_id
			and u.kind = 'usage'
			and u.units = -r.units
		)
	`;
	expect([...unsound]).toEqual([]);
}
