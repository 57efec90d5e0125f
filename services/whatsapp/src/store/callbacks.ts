import { byIndex } from "@airtower/platform/database/by-index";
import type { Queryable, Tx } from "@airtower/platform/database/database";
import { deleteBatch } from "@airtower/platform/database/delete-batch";
import { unnest } from "@airtower/platform/database/unnest";
import { uuidv7 } from "@airtower/platform/runtime/ids";

export interface StoredCallback {
	readonly id: string;
	readonly body: Buffer;
	readonly tries: number;
	readonly receivedAt: Date;
}

export interface CallbackEnd {
	readonly id: string;
	/** "stored" waits for another try, "kept" has something that was not understood. */
	readonly state: "stored" | "processed" | "kept";
	readonly delayMs: number;
	readonly note: string;
}

export async function insertCallbacks(
	sql: Queryable,
	bodies: readonly Uint8Array[],
): Promise<void> {
	const rows = bodies.map((body) => ({
		id: uuidv7(),
		body: Buffer.from(body),
	}));
	await sql`
		insert into callbacks (id, body)
		select *
		from ${unnest(sql, rows, { id: "uuid", body: "bytea" })}
	`;
}

/** Takes due callbacks for the length of the transaction, oldest first. */
export async function claimCallbacks(
	sql: Tx,
	limit: number,
): Promise<StoredCallback[]> {
	return byIndex(
		sql,
		(sql) => sql<StoredCallback[]>`
		select id, body, tries, received_at as "receivedAt"
		from callbacks
		where state = 'stored'
		and due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`,
	);
}

export async function endCallbacks(
	sql: Tx,
	ends: readonly CallbackEnd[],
): Promise<void> {
	await sql`
		update callbacks
		set
			state = given.state,
			tries = tries + 1,
			due_at = now() + given.delay_ms * interval '1 millisecond',
			note = given.note
		from ${unnest(sql, ends, {
			id: "uuid",
			state: "text",
			delayMs: "float8",
			note: "text",
		})}
		where callbacks.id = given.id
	`;
}

/** Deletes callbacks that have ended in a state and are older than `days`; returns how many. */
export async function deleteOldCallbacks(
	sql: Queryable,
	state: "processed" | "kept",
	days: number,
	limit: number,
): Promise<number> {
	const isOld = sql`
		state = ${state}
		and received_at < now() - ${days} * interval '1 day'
	`;
	return deleteBatch(sql, "callbacks", isOld, limit);
}
