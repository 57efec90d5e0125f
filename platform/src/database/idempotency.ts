import { conflict, type DomainError } from "../runtime/domain-error.ts";
import { type Db, type Tx, transaction } from "./database.ts";
import {
	findIdempotencyRecords,
	type IdempotencyKey,
	idempotencyId,
	insertIdempotencyRecords,
} from "./idempotency-records.ts";
import { isLockTimeout } from "./sql-errors.ts";

/** Longest wait for a concurrent duplicate, ms. */
const DUPLICATE_WAIT_MS = 5_000;

/** Why a request with a key is refused, with its public sentence. */
export const IDEMPOTENCY_REFUSALS = {
	idempotency_key_reused:
		"This Idempotency-Key was used for another request; use a new key for each request.",
	idempotency_key_in_use:
		"A request with this Idempotency-Key is still being processed; repeat it in a second.",
} as const;

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
			const earlier = await findBare(sql, key);
			const response = earlier ?? (await work(sql));
			await sql`
				update idempotency_keys
				set response = ${response}
				where organization_id = ${key.organizationId}
				and key = ${key.key}
			`;
			return { response, replayed: earlier !== undefined };
		});
	} catch (error) {
		if (!isLockTimeout(error)) throw error;
		throw idempotencyConflict("idempotency_key_in_use", error);
	}
}

/** The response to the same request under the key without its path; the fingerprint covers the path too. */
async function findBare(
	sql: Tx,
	{ bareKey, ...key }: IdempotencyKey,
): Promise<Uint8Array | undefined> {
	if (bareKey === undefined) return undefined;
	const bare = { ...key, key: bareKey };
	const record = (await findIdempotencyRecords(sql, [bare])).get(
		idempotencyId(bare),
	);
	return record && Buffer.compare(record.fingerprint, key.fingerprint) === 0
		? record.response
		: undefined;
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
