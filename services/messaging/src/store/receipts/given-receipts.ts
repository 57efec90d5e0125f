import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { Receipt } from "../../domain/receipts/receipt.ts";

const MATCHED = {
	operatorAccount: "text",
	key_1: "text",
	key_2: "text",
	key_3: "text",
	tail_1: "text",
	tail_2: "text",
} as const;

/** A relation named `receipts`, each with its place in the list as its id, from 1. */
export function keysOf(sql: Tx, receipts: readonly Receipt[]) {
	const rows = receipts.map(({ operatorAccount, matchKeys, numberTails }) => ({
		operatorAccount,
		...{ key_1: matchKeys[0], key_2: matchKeys[1], key_3: matchKeys[2] },
		...{ tail_1: numberTails[0], tail_2: numberTails[1] },
	}));
	return sql`(
		select
			id,
			operator_account,
			array_remove(array[key_1, key_2, key_3], null) as match_keys,
			array_remove(array[tail_1, tail_2], null) as number_tails,
			now() as received_at
		from ${unnest(sql, rows, MATCHED, { place: "id" })}
	) as receipts`;
}
