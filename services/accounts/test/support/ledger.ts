import type { Queryable } from "@airtower/platform/database/database";
import { expect } from "vitest";

interface LedgerLine {
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
		select 'sum differs from balance', organization_id
		from balances
		left join (
			select organization_id, sum(units) as total
			from ledger_entries
			group by organization_id
		) as sums using (organization_id)
		where balance <> coalesce(total, 0)
		union all
		select 'more given back than taken', organization_id
		from ledger_entries
		where message_id is not null
		group by organization_id, message_id
		having sum(units) not in (-1, 0)
		or count(*) filter (where kind = 'usage') <> 1
	`;
	expect([...unsound]).toEqual([]);
}
