import type { Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";
import type { Receipt } from "../../domain/receipts/receipt.ts";
import { keysOf } from "./receipt-matches.ts";

export interface Parking {
	/** Null: it is not looked at again. */
	readonly delayMs: number | null;
}

const CONTENT = {
	operatorMessageId: "text",
	address_1: "text",
	address_2: "text",
	state: "text",
	reason: "text",
	operatorError: "text",
	raw: "text",
	delayMs: "float8",
} as const;

/** Stores receipts that have been looked at once. */
export async function insertReceipts(
	sql: Tx,
	receipts: readonly (Receipt & Parking)[],
): Promise<void> {
	if (receipts.length === 0) return;
	const contents = receipts.map((receipt) => ({
		...receipt,
		address_1: receipt.addresses[0],
		address_2: receipt.addresses[1],
	}));
	await sql`
		insert into receipts (
			operator_account, operator_message_id, match_keys, number_tails,
			addresses, state, reason, operator_error, raw, misses, due_at
		)
		select
			operator_account,
			operator_message_id,
			match_keys,
			number_tails,
			array_remove(array[address_1, address_2], null),
			state, reason, operator_error, raw, 1, ${dueIn(sql, sql`delay_ms`)}
		from ${keysOf(sql, receipts)}
		join ${unnest(sql, contents, CONTENT, { ordinal: "id" })} using (id)
		order by id
	`;
}

export async function parkReceipts(
	sql: Tx,
	parked: readonly (Parking & { readonly id: number })[],
): Promise<void> {
	if (parked.length === 0) return;
	await sql`
		update receipts
		set
			misses = misses + 1,
			due_at = ${dueIn(sql, sql`given.delay_ms`)}
		from ${unnest(sql, parked, { id: "bigint", delayMs: "float8" })}
		where receipts.id = given.id
	`;
}

const dueIn = (sql: Tx, delayMs: ReturnType<Tx>) => sql`
	coalesce(now() + ${delayMs} * interval '1 millisecond', 'infinity')
`;
