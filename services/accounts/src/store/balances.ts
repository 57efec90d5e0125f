import type { Queryable, Tx } from "@airtower/platform/database/database";
import type postgres from "postgres";
import type { OrganizationState } from "../domain/organization-state.ts";

/** Clocks of databases are set back by no more than this, ms. */
export const LONGEST_STEP_MS = 600_000;

/** The largest to which it is granted, units. */
export const MAX_BALANCE = 1_000_000_000_000_000;
/** The largest that the table takes: there is room for what is given back after a grant, units. */
export const LARGEST_STORED = 2 * MAX_BALANCE;

export interface BalanceRow {
	readonly organizationId: string;
	readonly balance: number;
	readonly state: OrganizationState;
}

export async function insertBalance(
	sql: Tx,
	organizationId: string,
): Promise<void> {
	await sql`
		insert into balances (organization_id)
		values (${organizationId})
	`;
}

/** Locks balances until the transaction ends, in id order against deadlocks. Unknown organizations have no row. */
export async function lockBalances(
	sql: Tx,
	organizationIds: readonly string[],
): Promise<BalanceRow[]> {
	return sql<BalanceRow[]>`
		${selectBalances(sql, organizationIds)}
		for update of b
	`;
}

/** Balances as they are. Unknown organizations have no row. */
export async function findBalances(
	sql: Queryable,
	organizationIds: readonly string[],
): Promise<BalanceRow[]> {
	return sql<BalanceRow[]>`${selectBalances(sql, organizationIds)}`;
}

function selectBalances(sql: Queryable, organizationIds: readonly string[]) {
	return sql`
		select b.organization_id as "organizationId", b.balance, o.state
		from balances b
		join organizations o on o.id = b.organization_id
		where b.organization_id = any(${[...organizationIds]}::uuid[])
		order by b.organization_id
	`;
}

/** Sets balances by organization id, and the date of the entries that follow; the caller has locked them. */
export async function updateBalances(
	sql: Tx,
	balances: ReadonlyMap<string, number>,
): Promise<void> {
	await sql`
		update balances b
		set
			balance = new.balance,
			dated_at = ${nextDate(sql, sql`b.dated_at`)}
		from unnest(
			${[...balances.keys()]}::uuid[],
			${[...balances.values()]}::bigint[]
		) as new (organization_id, balance)
		where b.organization_id = new.organization_id
	`;
}

/** The date of an organization's next entry: later than the last one, unless that is wrong by more than a step. */
export function nextDate(sql: Queryable, last: postgres.Fragment) {
	return sql`
		greatest(
			clock_timestamp(),
			transaction_timestamp(),
			case when ${last} < clock_timestamp() + ${LONGEST_STEP_MS} * interval '1 ms' then ${last} + interval '1 ms' end
		)
	`;
}
