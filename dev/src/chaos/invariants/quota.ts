import type postgres from "postgres";
import type { Invariant } from "./invariant.ts";

/** Balance of an organization, sum of its ledger, and its SMS stored that were not canceled. */
export async function readAccounting(
	sql: postgres.Sql,
	organizationId: string,
) {
	const [row] = await sql<
		[{ balance: number; ledger: number; messages: number }]
	>`
		select
			(
				select balance::int
				from accounts.balances
				where organization_id = ${organizationId}
			) as balance,
			(
				select sum(units)::int
				from accounts.ledger_entries
				where organization_id = ${organizationId}
			) as ledger,
			(
				select count(*)::int
				from messaging.messages
				where organization_id = ${organizationId}
				and status <> 'canceled'
			) as messages
	`;
	return row;
}

/** I2: what was granted, without what was accepted and not canceled, is what remains, and the ledger sums to it. */
export const quotaIsExact: Invariant = {
	name: "I2",
	waits: true,
	check: async ({ tenants, target: { sql } }) => {
		const wrong: string[] = [];
		for (const { name, organizationId, units } of [tenants.a, tenants.b]) {
			const row = await readAccounting(sql, organizationId);
			const { balance, ledger, messages } = row;
			if (balance !== units - messages || ledger !== balance)
				wrong.push(
					`${name}: ${units} granted, ${messages} accepted, ${balance} remain, the ledger says ${ledger}`,
				);
		}
		return wrong;
	},
};
