import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { unnest } from "@airtower/platform/database/unnest";

interface ParkedCount {
	readonly account: string;
	readonly receipts: number;
	/** They name several messages, and are not looked at again. */
	readonly ambiguous: number;
	readonly oldestAt: Date;
	readonly newestAt: Date;
}

/** Of each account that has any, the most first; of the newest `limit` receipts. */
export async function countParkedReceipts(
	sql: Queryable,
	limit: number,
): Promise<ParkedCount[]> {
	const count = (sql: Tx) => sql<ParkedCount[]>`
		select
			operator_account as account,
			count(*)::integer as receipts,
			(count(*) filter (where not isfinite(due_at)))::integer as ambiguous,
			min(received_at) as "oldestAt",
			max(received_at) as "newestAt"
		from ${newestReceipts(sql, limit)}
		group by operator_account
		order by receipts desc, account
	`;
	return byIndex(sql, count);
}

export interface ParkedSample {
	readonly id: number;
	readonly operatorMessageId: string;
	readonly state: string;
	readonly operatorError: string;
	readonly addresses: readonly string[];
	readonly matchKeys: readonly string[];
	readonly numberTails: readonly string[];
	readonly raw: string;
	readonly receivedAt: Date;
}

const columns = (sql: Queryable) => sql`
	id,
	operator_message_id as "operatorMessageId",
	state,
	operator_error as "operatorError",
	addresses,
	match_keys as "matchKeys",
	number_tails as "numberTails",
	raw,
	received_at as "receivedAt"
`;

/** The newest of an account, among the newest `among` of all. */
export async function findNewestReceipts(
	sql: Queryable,
	account: string,
	limit: number,
	among: number,
): Promise<ParkedSample[]> {
	const find = (sql: Tx) => sql<ParkedSample[]>`
		select ${columns(sql)}
		from ${newestReceipts(sql, among)}
		where operator_account = ${account}
		order by id desc
		limit ${limit}
	`;
	return byIndex(sql, find);
}

const newestReceipts = (sql: Queryable, limit: number) => sql`(
	select *
	from receipts
	order by id desc
	limit ${limit}
) as newest`;

export interface ReceiptBatch {
	/** Locked for the transaction, in order. */
	readonly receipts: readonly ParkedSample[];
	/** Others hold them at the moment. */
	readonly passedOver: readonly number[];
	/** Undefined when these are the last ones. */
	readonly lastId: number | undefined;
}

/** The next `limit` receipts of an account after one, by their ids. */
export async function lockReceiptsAfter(
	sql: Tx,
	account: string,
	after: number,
	limit: number,
): Promise<ReceiptBatch> {
	const next = (sql: Tx) => sql<{ id: number }[]>`
		select id
		from receipts
		where id > ${after}
		and operator_account = ${account}
		order by id
		limit ${limit}
	`;
	const found = await byIndex(sql, next);
	const ids = found.map(({ id }) => id);
	const receipts = await sql<ParkedSample[]>`
		select ${columns(sql)}
		from receipts
		where id = any(${ids}::bigint[])
		order by id
		for update skip locked
	`;
	const locked = new Set(receipts.map(({ id }) => id));
	return {
		receipts,
		passedOver: ids.filter((id) => !locked.has(id)),
		lastId: ids.length < limit ? undefined : ids.at(-1),
	};
}

export interface RekeyedReceipt {
	readonly id: number;
	readonly account: string;
	/** One to five. */
	readonly matchKeys: readonly string[];
}

const REKEYED = { id: "bigint", account: "text", keys: "jsonb" } as const;

/** Gives receipts their account and keys, and makes them due as if they had just come; returns how many. */
export async function replayReceipts(
	sql: Tx,
	receipts: readonly RekeyedReceipt[],
): Promise<number> {
	if (receipts.length === 0) return 0;
	const rows = receipts.map(({ id, account, matchKeys }) => ({
		id,
		account,
		keys: matchKeys,
	}));
	const replayed = await sql`
		update receipts
		set
			operator_account = given.account,
			match_keys = array(select jsonb_array_elements_text(given.keys)),
			due_at = now(),
			misses = 1
		from ${unnest(sql, rows, REKEYED)}
		where receipts.id = given.id
	`;
	return replayed.count;
}
