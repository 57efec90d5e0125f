import type { Tx } from "@airtower/platform/database/database";
import type { Receipt } from "../../domain/receipts/receipt.ts";
import { keysOf } from "./receipt-matches.ts";

export interface Parking {
	/** Null: it is not looked at again. */
	readonly delayMs: number | null;
}

/** Stores receipts that have been looked at once. */
export async function insertReceipts(
	sql: Tx,
	receipts: readonly (Receipt & Parking)[],
): Promise<void> {
	if (receipts.length === 0) return;
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
		join unnest(
			${receipts.map((receipt) => receipt.operatorMessageId)}::text[],
			${receipts.map((receipt) => receipt.addresses[0] ?? null)}::text[],
			${receipts.map((receipt) => receipt.addresses[1] ?? null)}::text[],
			${receipts.map((receipt) => receipt.state)}::text[],
			${receipts.map((receipt) => receipt.reason ?? null)}::text[],
			${receipts.map((receipt) => receipt.operatorError)}::text[],
			${receipts.map((receipt) => receipt.raw)}::text[],
			${receipts.map((receipt) => receipt.delayMs)}::float8[]
		) with ordinality as content (
			operator_message_id, address_1, address_2,
			state, reason, operator_error, raw, delay_ms, id
		) using (id)
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
			due_at = ${dueIn(sql, sql`parked.delay_ms`)}
		from unnest(
			${parked.map(({ id }) => id)}::bigint[],
			${parked.map(({ delayMs }) => delayMs)}::float8[]
		) as parked (id, delay_ms)
		where receipts.id = parked.id
	`;
}

const dueIn = (sql: Tx, delayMs: ReturnType<Tx>) => sql`
	coalesce(now() + ${delayMs} * interval '1 millisecond', 'infinity')
`;
