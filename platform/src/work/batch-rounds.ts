import { idempotencyId } from "../database/idempotency-records.ts";
import { isUuid } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";
import { type AnyItem, accept, type BatchItem, refuse } from "./batch.ts";

/** Turns that requests with one key and different bodies get in one batch while the earlier ones are refused. */
const MAX_ROUNDS = 3;

/**
 * Closes all items of a batch in rounds. What one round has stored is told as stored, also when a later one fails: its items
 * are refused as `service_unavailable`. Throws when the first one fails.
 */
export async function closeInRounds<
	M,
	A extends { readonly replayed: boolean },
>(
	batch: readonly BatchItem<M, A>[],
	log: Logger,
	closeTurn: (items: readonly BatchItem<M, A>[]) => Promise<void>,
): Promise<void> {
	for (const items of rounds(batch))
		try {
			await closeTurn(items);
		} catch (error) {
			if (batch.every(({ result }) => result === undefined)) throw error;
			log.warn({ err: error }, "a part of a batch was not stored");
			for (const item of batch)
				if (item.result === undefined) refuse(item, "service_unavailable");
			return;
		}
}

/** Turns that hold each idempotency key once; each must be closed before the next one is asked for. */
function* rounds<M, A extends { readonly replayed: boolean }>(
	batch: readonly BatchItem<M, A>[],
): Generator<BatchItem<M, A>[]> {
	for (const item of batch)
		if (!isUuid(item.organizationId)) refuse(item, "unknown_organization");
	for (let round = 1; round <= MAX_ROUNDS; round++) {
		const { first, duplicates } = splitDuplicates(batch);
		if (first.length === 0) return;
		yield first;
		for (const [item, earlier] of duplicates) closeLike(item, earlier);
	}
	for (const item of batch)
		if (item.result === undefined) refuse(item, "idempotency_key_in_use");
}

function splitDuplicates<I extends AnyItem>(batch: readonly I[]) {
	const byKey = new Map<string, I>();
	const first: I[] = [];
	const duplicates: [I, I][] = [];
	for (const item of batch) {
		if (item.result !== undefined) continue;
		const id = item.key && idempotencyId(item.key);
		const earlier = id === undefined ? undefined : byKey.get(id);
		if (earlier !== undefined) duplicates.push([item, earlier]);
		else first.push(item);
		if (id !== undefined && earlier === undefined) byKey.set(id, item);
	}
	return { first, duplicates };
}

/** Stays open when the earlier message was another request and was refused: the key is free then. */
function closeLike<A extends { readonly replayed: boolean }>(
	item: BatchItem<unknown, A>,
	{ key, result }: BatchItem<unknown, A>,
): void {
	const isSame = key !== undefined && isSameRequest(item, key.fingerprint);
	if (result?.case === "accepted") {
		if (isSame) accept(item, { ...result.value, replayed: true });
		else refuse(item, "idempotency_key_reused");
	} else if (isSame && result !== undefined) refuse(item, result.value);
}

export function isSameRequest(
	{ key }: Pick<AnyItem, "key">,
	fingerprint: Uint8Array,
): boolean {
	return (
		key !== undefined && Buffer.compare(key.fingerprint, fingerprint) === 0
	);
}
