import type { Queryable, Tx } from "./database.ts";
import { deleteBatch } from "./delete-batch.ts";
import { toColumnList, unnest } from "./unnest.ts";

export interface IdempotencyKey {
	readonly organizationId: string;
	/** With the path of its request before it, where that tells keys apart. */
	readonly key: string;
	/** The same without the path: a record of before keys had one is replayed by it. */
	readonly bareKey?: string;
	/** SHA-256, 32 bytes. */
	readonly fingerprint: Uint8Array;
	/** How long it is known, ms; 24 hours by default. */
	readonly retentionMs?: number;
}

interface IdempotencyRecord extends IdempotencyKey {
	readonly response: Uint8Array;
}

const RECORD = {
	organizationId: "uuid",
	key: "text",
	fingerprint: "bytea",
	response: "bytea",
} as const;

const RETENTION_MS = 24 * 3_600_000;

/** Name of a key among those of all organizations, whose ids the database returns in lower case. */
export function idempotencyId(
	key: Pick<IdempotencyKey, "organizationId" | "key">,
): string {
	return `${key.organizationId.toLowerCase()} ${key.key}`;
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
	const kept = records.map(({ retentionMs = RETENTION_MS, ...record }) => ({
		...record,
		retentionMs,
	}));
	const rows = await sql<{ organizationId: string; key: string }[]>`
		insert into idempotency_keys (${toColumnList(sql, RECORD)}, expires_at)
		select ${toColumnList(sql, RECORD)}, now() + retention_ms * interval '1 millisecond'
		from ${unnest(sql, kept, { ...RECORD, retentionMs: "float8" })}
		order by organization_id, key
		on conflict do nothing
		returning organization_id as "organizationId", key
	`;
	return new Set(rows.map(idempotencyId));
}

export async function deleteExpiredIdempotencyRecords(
	sql: Queryable,
	limit: number,
): Promise<number> {
	return deleteBatch(sql, "idempotency_keys", sql`expires_at < now()`, limit);
}
