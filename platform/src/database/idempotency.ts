import { conflict, type DomainError } from "../runtime/domain-error.ts";
import { type Db, type Queryable, type Tx, transaction } from "./database.ts";
import { deleteBatch } from "./delete-batch.ts";
import { isLockTimeout } from "./sql-errors.ts";
import { toColumnList, unnest } from "./unnest.ts";

export interface IdempotencyKey {
	readonly organizationId: string;
	readonly key: string;
	/** SHA-256, 32 bytes. */
	readonly fingerprint: Uint8Array;
}

export interface IdempotencyRecord extends IdempotencyKey {
	readonly response: Uint8Array;
}

const RECORD = {
	organizationId: "uuid",
	key: "text",
	fingerprint: "bytea",
	response: "bytea",
} as const;

/** Longest wait for a concurrent duplicate, ms. */
const DUPLICATE_WAIT_MS = 5_000;
export const IDEMPOTENCY_RETENTION_MS = 24 * 3_600_000;

/** Why a request with a key is refused, with its public sentence. */
export const IDEMPOTENCY_REFUSALS = {
	idempotency_key_reused:
		"This Idempotency-Key was used for another request; use a new key for each request.",
	idempotency_key_in_use:
		"A request with this Idempotency-Key is still being processed; repeat it in a second.",
} as const;

/** Name of a key among those of all organizations, whose ids the database returns in lower case. */
export function idempotencyId(
	key: Pick<IdempotencyKey, "organizationId" | "key">,
): string {
	return `${key.organizationId.toLowerCase()} ${key.key}`;
}

/** `work` and its record commit together. Throws `idempotency_key_reused` or `idempotency_key_in_use`. */
export async function runIdempotently(
	sql: Db,
	key: IdempotencyKey | undefined,
	work: (sql: Tx) => Promise<Uint8Array>,
): Promise<{ response: Uint8Array; replayed: boolean }> {
	if (key === undefined)
		return { response: await transaction(sql, work), replayed: false };
	try {
		return await transaction(sql, async (sql) => {
			await sql.unsafe(
				`set local lock_timeout = ${DUPLICATE_WAIT_MS}; set local statement_timeout = ${2 * DUPLICATE_WAIT_MS}`,
			);
			if (!(await reserve(sql, key))) return replay(sql, key);
			await sql.unsafe("set local lock_timeout = 0");
			const response = await work(sql);
			await sql`
				update idempotency_keys
				set response = ${response}
				where organization_id = ${key.organizationId}
				and key = ${key.key}
			`;
			return { response, replayed: false };
		});
	} catch (error) {
		if (!isLockTimeout(error)) throw error;
		throw idempotencyConflict("idempotency_key_in_use", error);
	}
}

async function reserve(sql: Tx, key: IdempotencyKey): Promise<boolean> {
	const inserted = await insertIdempotencyRecords(sql, [
		{ ...key, response: new Uint8Array() },
	]);
	return inserted.size === 1;
}

async function replay(sql: Tx, key: IdempotencyKey) {
	const records = await findIdempotencyRecords(sql, [key]);
	const record = records.get(idempotencyId(key));
	if (record === undefined) throw idempotencyConflict("idempotency_key_in_use");
	if (Buffer.compare(record.fingerprint, key.fingerprint) !== 0)
		throw idempotencyConflict("idempotency_key_reused");
	return { response: record.response, replayed: true };
}

export function idempotencyConflict(
	reason: keyof typeof IDEMPOTENCY_REFUSALS,
	cause?: unknown,
): DomainError {
	const message = IDEMPOTENCY_REFUSALS[reason];
	return conflict(reason, message, { cause });
}

/** Stored records by {@link idempotencyId}; the limit keeps the planner from reading the table. */
export async function findIdempotencyRecords(
	sql: Queryable,
	keys: readonly IdempotencyKey[],
): Promise<Map<string, IdempotencyRecord>> {
	if (keys.length === 0) return new Map();
	const rows = await sql<IdempotencyRecord[]>`
		select
			given.organization_id as "organizationId",
			given.key,
			found.fingerprint,
			found.response
		from ${unnest(sql, keys, { organizationId: "uuid", key: "text" })}
		cross join lateral (
			select fingerprint, response
			from idempotency_keys
			where organization_id = given.organization_id
			and key = given.key
			limit 1
		) as found
	`;
	return new Map(rows.map((row) => [idempotencyId(row), row]));
}

/** Returns the ids of the keys that were new. Rows go in key order, so that two batches cannot deadlock. */
export async function insertIdempotencyRecords(
	sql: Tx,
	records: readonly IdempotencyRecord[],
): Promise<Set<string>> {
	if (records.length === 0) return new Set();
	const rows = await sql<{ organizationId: string; key: string }[]>`
		insert into idempotency_keys (${toColumnList(sql, RECORD)})
		select *
		from ${unnest(sql, records, RECORD)}
		order by organization_id, key
		on conflict do nothing
		returning organization_id as "organizationId", key
	`;
	return new Set(rows.map(idempotencyId));
}

export async function deleteExpiredIdempotencyRecords(
	sql: Queryable,
	limit: number,
	retentionMs = IDEMPOTENCY_RETENTION_MS,
): Promise<number> {
	const isOld = sql`created_at < now() - ${retentionMs} * interval '1 millisecond'`;
	return deleteBatch(sql, "idempotency_keys", isOld, limit);
}
