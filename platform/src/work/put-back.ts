import type postgres from "postgres";
import { type Db, type Tx, transaction } from "../database/database.ts";
import { unnest } from "../database/unnest.ts";
import { lockLease } from "./lease-rows.ts";
import { type LeasedQueue, type QueueKey, uuids } from "./leased-queue.ts";

/** Puts back all rows of these tokens; returns how many. */
export async function requeue(
	sql: Tx,
	{ table }: LeasedQueue<string>,
	tokens: readonly string[],
): Promise<number> {
	const requeued = await sql`
		update ${sql(table)}
		set token = null
		where token = any(${[...tokens]}::uuid[])
	`;
	return requeued.count;
}

interface OwnRows<K extends string> {
	readonly token: string;
	/** Claims that the process tracks. */
	readonly known: readonly (QueueKey<K> & { readonly attempt: number })[];
	/** Which rows of the token are meant; no other claim of them may be under way. */
	readonly within: postgres.Fragment;
	/** Further changes, with a leading comma. */
	readonly set?: postgres.Fragment;
}

/** After a claim whose response was lost: puts back rows of the process's own token that it does not track. */
export async function releaseUntracked<K extends string>(
	sql: Db,
	{ table, key }: LeasedQueue<K>,
	{ token, known, within, set }: OwnRows<K>,
): Promise<number> {
	const claim = { ...uuids(key), attempt: "integer" } as const;
	const columns = [...Object.values<string>(key), "attempt"];
	return transaction(sql, async (sql) => {
		await lockLease(sql, token);
		const released = await sql`
			update ${sql(table)}
			set token = null ${set ?? sql``}
			where token = ${token}
			and ${within}
			and (${sql(columns)}) not in (
				select *
				from ${unnest(sql, known, claim)}
			)
		`;
		return released.count;
	});
}
