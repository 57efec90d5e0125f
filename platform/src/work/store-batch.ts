import {
	type DescMessage,
	fromBinary,
	type MessageShape,
	toBinary,
} from "@bufbuild/protobuf";
import {
	type Queryable,
	TRANSACTION_TIMEOUT_MS,
	type Tx,
} from "../database/database.ts";
import {
	findIdempotencyRecords,
	idempotencyId,
	insertIdempotencyRecords,
} from "../database/idempotency-records.ts";
import {
	isDataError,
	isLockTimeout,
	postgresCode,
} from "../database/sql-errors.ts";
import type { Logger } from "../runtime/log.ts";
import { accept, type BatchItem, isSameRequest, refuse } from "./batch.ts";
import { inHalves } from "./micro-batcher.ts";

export interface Storable<A> {
	readonly item: BatchItem<unknown, A>;
	readonly accepted: A;
}

export type StoreOutcome =
	| "stored"
	/** Another request with the same key came first. */
	| "lost"
	/** Another request has the key and does not come to an end. */
	| "key_in_use"
	/** The database will never take this row. */
	| "unstorable"
	/** Certainly not stored. */
	| "not_stored"
	/** The database went away, or something unforeseen: it may be stored or not. */
	| "unknown";

export class NotStoredError extends Error {
	override readonly name = "NotStoredError";
}

/** Another request holds a key of the batch. */
class KeyInUseError extends Error {
	override readonly name = "KeyInUseError";
}

/** Longest wait for a concurrent request with the same key, ms. */
const KEY_WAIT_MS = 5_000;
/** The same once a batch is known to have such a key, ms. */
const KEY_WAIT_AGAIN_MS = 250;

export async function replayKnown<M, S extends DescMessage>(
	sql: Queryable,
	items: readonly BatchItem<M, MessageShape<S>>[],
	schema: S,
): Promise<BatchItem<M, MessageShape<S>>[]> {
	const keys = items.flatMap(({ key }) => (key === undefined ? [] : [key]));
	if (keys.length === 0) return [...items];
	const records = await findIdempotencyRecords(sql, keys);
	return items.filter((item) => {
		const record = item.key && records.get(idempotencyId(item.key));
		if (record === undefined) return true;
		if (isSameRequest(item, record.fingerprint))
			accept(item, {
				...fromBinary(schema, record.response),
				replayed: true,
			});
		else refuse(item, "idempotency_key_reused");
		return false;
	});
}

/** All or none. When the database refuses a row, halves of the batch are tried until it stands alone. */
export async function storeBatch<I>(
	items: readonly I[],
	log: Logger,
	commit: (items: readonly I[], keyWaitMs: number) => Promise<boolean[]>,
): Promise<StoreOutcome[]> {
	if (items.length === 0) return [];
	let keyWaitMs = KEY_WAIT_MS;
	return inHalves<I, StoreOutcome>(items, async (some) => {
		try {
			const won = await commit(some, keyWaitMs);
			return won.map((one) => (one ? "stored" : "lost"));
		} catch (error) {
			const outcome = toOutcome(error);
			log.warn(
				{ err: error, outcome, count: some.length },
				"messages were not stored together",
			);
			keyWaitMs = KEY_WAIT_AGAIN_MS;
			const isOneRowsFault =
				outcome === "unstorable" || outcome === "key_in_use";
			return isOneRowsFault && some.length > 1
				? undefined
				: some.map(() => outcome);
		}
	});
}

/** What rolled back (class 40), or waited for a table that somebody has locked, was certainly not stored. */
function toOutcome(error: unknown): Exclude<StoreOutcome, "stored" | "lost"> {
	if (error instanceof KeyInUseError) return "key_in_use";
	if (error instanceof NotStoredError || isLockTimeout(error))
		return "not_stored";
	if (isDataError(error)) return "unstorable";
	return postgresCode(error)?.startsWith("40") ? "not_stored" : "unknown";
}

/** Returns, for each message, false when another request had its key first. */
export async function recordKeys<S extends DescMessage>(
	sql: Tx,
	messages: readonly Storable<MessageShape<S>>[],
	schema: S,
	keyWaitMs: number,
): Promise<boolean[]> {
	const records = messages.flatMap(({ item: { key }, accepted }) =>
		key === undefined ? [] : [{ ...key, response: toBinary(schema, accepted) }],
	);
	await sql.unsafe(`
		set local lock_timeout = ${keyWaitMs};
		set local statement_timeout = ${TRANSACTION_TIMEOUT_MS};
	`);
	const inserted = await insertIdempotencyRecords(sql, records).catch(
		(cause: unknown) => {
			if (!isLockTimeout(cause)) throw cause;
			throw new KeyInUseError("a key is in use", { cause });
		},
	);
	if (keyWaitMs !== KEY_WAIT_MS)
		await sql.unsafe(`set local lock_timeout = ${KEY_WAIT_MS}`);
	return messages.map(
		({ item: { key } }) =>
			key === undefined || inserted.has(idempotencyId(key)),
	);
}

export async function closeStored<S extends DescMessage>(
	sql: Queryable,
	messages: readonly Storable<MessageShape<S>>[],
	outcomes: readonly StoreOutcome[],
	schema: S,
): Promise<void> {
	const lost: BatchItem<unknown, MessageShape<S>>[] = [];
	for (const [index, { item, accepted }] of messages.entries()) {
		const outcome = outcomes[index] ?? "unknown";
		if (outcome === "stored") accept(item, accepted);
		else if (outcome === "lost") lost.push(item);
		else refuse(item, REFUSALS[outcome]);
	}
	for (const item of await replayKnown(sql, lost, schema))
		refuse(item, "idempotency_key_in_use");
}

const REFUSALS = {
	key_in_use: "idempotency_key_in_use",
	unstorable: "internal_error",
	not_stored: "service_unavailable",
	unknown: "service_unavailable",
} as const;
