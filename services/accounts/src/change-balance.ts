import type { Tx } from "@airtower/platform/database/database";
import { conflict, invalid } from "@airtower/platform/runtime/domain-error";
import { publishChange } from "./publish-change.ts";
import { MAX_BALANCE, updateBalances } from "./store/balances.ts";
import { insertLedgerEntries } from "./store/ledger-entries.ts";

export interface Grant {
	readonly organizationId: string;
	readonly grantId: string;
	/** Never 0; negative takes away. */
	readonly units: number;
	readonly note: string | null;
}

/**
 * Changes a balance that the caller has locked, and returns what it is then. Throws conflict balance_would_be_negative,
 * invalid validation_failed above the largest balance.
 */
export async function changeBalance(
	sql: Tx,
	balance: number,
	grant: Grant,
): Promise<number> {
	const { organizationId, units } = grant;
	const balanceAfter = balance + units;
	assertInRange(balance, balanceAfter);
	await updateBalances(sql, new Map([[organizationId, balanceAfter]]));
	await insertLedgerEntries(sql, [
		{ ...grant, kind: units > 0 ? "grant" : "adjustment", balanceAfter },
	]);
	if (units > 0)
		await publishChange(sql, organizationId, {
			case: "quotaGranted",
			value: { balance: BigInt(balanceAfter), units: BigInt(units) },
		});
	return balanceAfter;
}

function assertInRange(balance: number, balanceAfter: number): void {
	if (balanceAfter < 0)
		throw conflict(
			"balance_would_be_negative",
			`The balance is ${balance}: no more than that can be taken away.`,
		);
	if (balanceAfter > Math.max(balance, MAX_BALANCE))
		throw invalid(
			"validation_failed",
			"units",
			`Field units: the balance would exceed ${MAX_BALANCE}.`,
		);
}
