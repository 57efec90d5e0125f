import {
	BYTEA_ARRAY,
	type Queryable,
	type Tx,
} from "@airtower/platform/database/database";
import { uuidv7 } from "@airtower/platform/runtime/ids";

export interface StoredCallback {
	readonly id: string;
	readonly body: Buffer;
	readonly tries: number;
	readonly receivedAt: Date;
}

/** What became of a callback. */
export interface CallbackEnd {
	readonly id: string;
	/** "stored" waits for another try, "kept" holds something that was not understood. */
	readonly state: "stored" | "processed" | "kept";
	readonly delayMs: number;
	readonly note: string;
}

export async function insertCallbacks(
	sql: Queryable,
	bodies: readonly Uint8Array[],
): Promise<void> {
	await sql`
		insert into callbacks (id, body)
		select *
		from unnest(
			${bodies.map(() => uuidv7())}::uuid[],
			${sql.array(
				bodies.map((body) => Buffer.from(body)),
				BYTEA_ARRAY,
			)}::bytea[]
		)
	`;
}

/** Takes due callbacks for the length of the transaction, oldest first. */
export async function claimCallbacks(
	sql: Tx,
	limit: number,
): Promise<StoredCallback[]> {
	return sql<StoredCallback[]>`
		select id, body, tries, received_at as "receivedAt"
		from callbacks
		where state = 'stored'
		and due_at <= now()
		order by due_at
		limit ${limit}
		for update skip locked
	`;
}

export async function endCallbacks(
	sql: Tx,
	ends: readonly CallbackEnd[],
): Promise<void> {
	await sql`
		update callbacks
		set
			state = ended.state,
			tries = tries + 1,
			due_at = now() + ended.delay_ms * interval '1 millisecond',
			note = ended.note
		from unnest(
			${ends.map((end) => end.id)}::uuid[],
			${ends.map((end) => end.state)}::text[],
			${ends.map((end) => end.delayMs)}::float8[],
			${ends.map((end) => end.note)}::text[]
		) as ended (id, state, delay_ms, note)
		where callbacks.id = ended.id
	`;
}

/** Deletes callbacks that have ended in a state and are older than `days`; returns how many. */
export async function deleteOldCallbacks(
	sql: Queryable,
	state: "processed" | "kept",
	days: number,
	limit: number,
): Promise<number> {
	const deleted = await sql`
		delete from callbacks
		where id in (
			select id
			from callbacks
			where state = ${state}
			and received_at < now() - ${days} * interval '1 day'
			limit ${limit}
		)
	`;
	return deleted.count;
}
