import type { Tx } from "@airtower/platform/database/database";
import type { WaitingPart } from "../../domain/receipts/judge-receipt.ts";
import { findWaitingPartsOf } from "../../store/receipts/waiting-parts.ts";

/**
 * The parts of an account that wait, by the keys under which they are stored; of those that any of these receipts may
 * have.
 */
export async function partsByKey(
	sql: Tx,
	account: string,
	keys: readonly (readonly string[])[],
	firstId: string,
): Promise<(key: string) => readonly WaitingPart[]> {
	const all = [...new Set(keys.flat())];
	const parts = await findWaitingPartsOf(sql, account, all, firstId);
	const byKey = Map.groupBy(parts, ({ operatorKey }) => operatorKey);
	return (key) => byKey.get(key) ?? [];
}
