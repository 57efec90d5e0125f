import type { Tx } from "@airtower/platform/database/database";
import type { OrganizationState } from "../domain/organization-state.ts";

export interface LockedBalanceRow {
	readonly organizationId: string;
	readonly balance: number;
	readonly state: OrganizationState;
}

/** The largest balance that the table takes, units. */
export const MAX_BALANCE = 1_000_000_000_000_000;

export async function insertBalance(
	sql: Tx,
	organizationId: string,
): Promise<void> {
	await sql`
		insert into balances (organization_id)
		values (${organizationId})
	`;
}

/**
 * Locks balances until the transaction ends, in id order, so that batches over several
 * organizations cannot deadlock. Unknown organizations have no row in the answer.
 */
export async function lockBalances(
	sql: Tx,
	organizationIds: readonly string[],
): Promise<LockedBalanceRow[]> {
	return sql<LockedBalanceRow[]>`
		select b.organization_id as "organizationId", b.balance, o.state
		from balances b
		join organizations o on o.id = b.organization_id
		where b.organization_id = any(${[...organizationIds]}::uuid[])
		order by b.organization_id
		for update of b
	`;
}

/** Sets balances by organization id; the caller holds their locks. */
export async function updateBalances(
	sql: Tx,
	balances: ReadonlyMap<string, number>,
): Promise<void> {
	await sql`
		update balances b
		set balance = new.balance
		from unnest(
			${[...balances.keys()]}::uuid[],
			${[...balances.values()]}::bigint[]
		) as new (organization_id, balance)
		where b.organization_id = new.organization_id
	`;
}
