import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";
import { IDEMPOTENCY_REFUSALS } from "../database/idempotency.ts";
import {
	type IdempotencyKey,
	idempotencyId,
} from "../database/idempotency-records.ts";
import { isUuid } from "../runtime/ids.ts";
import type { Logger } from "../runtime/log.ts";

interface Addressed {
	readonly organizationId: string;
	readonly idempotency?:
		| Pick<IdempotencyKey, "key" | "fingerprint">
		| undefined;
}

type BatchResult<A> =
	| { readonly case: "accepted"; readonly value: A }
	| { readonly case: "refused"; readonly value: ErrorDetail };

export interface BatchItem<M, A> {
	readonly message: M;
	/** Lower case. */
	readonly organizationId: string;
	readonly key: IdempotencyKey | undefined;
	/** Undefined while it is open. */
	result: BatchResult<A> | undefined;
}

type AnyItem = BatchItem<unknown, unknown>;

/** Why an item of any kind is refused, with its public sentence. */
const COMMON_REFUSALS = {
	unknown_organization: "There is no such organization.",
	...IDEMPOTENCY_REFUSALS,
	service_unavailable:
		"The request could not be stored now; repeat it with the same Idempotency-Key.",
	internal_error: "The request could not be stored.",
} as const;

type CommonRefusal = keyof typeof COMMON_REFUSALS;

/** @param retentionOf how long an item's key is known, ms; undefined for as long as others */
export function openBatch<M extends Addressed, A>(
	messages: readonly M[],
	retentionOf: (message: M) => number | undefined = () => undefined,
): BatchItem<M, A>[] {
	return messages.map((message) => {
		const organizationId = message.organizationId.toLowerCase();
		const { idempotency } = message;
		const key = idempotency && {
			organizationId,
			key: idempotency.key,
			fingerprint: idempotency.fingerprint,
			...toRetention(retentionOf(message)),
		};
		return { message, organizationId, key, result: undefined };
	});
}

function toRetention(retentionMs: number | undefined) {
	return retentionMs === undefined ? {} : { retentionMs };
}

export function accept<A>(item: BatchItem<unknown, A>, value: A): void {
	item.result = { case: "accepted", value };
}

export function refuse(
	item: AnyItem,
	refusal: CommonRefusal | ErrorDetail,
): void {
	const value =
		typeof refusal === "string"
			? create(ErrorDetailSchema, {
					reason: refusal,
					message: COMMON_REFUSALS[refusal],
				})
			: refusal;
	item.result = { case: "refused", value };
}

export function toResults<A>(
	batch: readonly BatchItem<unknown, A>[],
): BatchResult<A>[] {
	return batch.map(({ result }) => {
		if (result === undefined) throw new Error("An item was left open.");
		return result;
	});
}

/** Most rounds of a batch: requests with one key and different bodies go on while the earlier ones are refused. */
const MAX_ROUNDS = 3;

/**
 * Closes all items of a batch in rounds. What one round has stored is told as stored, also when a later one fails:
 * its items are refused as `service_unavailable`. Throws when the first one fails.
 */
export async function closeInRounds<
	M,
	A extends { readonly replayed: boolean },
>(
	batch: readonly BatchItem<M, A>[],
	log: Logger,
	closeRound: (items: readonly BatchItem<M, A>[]) => Promise<void>,
): Promise<void> {
	for (const items of rounds(batch))
		try {
			await closeRound(items);
		} catch (error) {
			if (batch.every(({ result }) => result === undefined)) throw error;
			log.warn({ err: error }, "a part of a batch was not stored");
			for (const item of batch)
				if (item.result === undefined) refuse(item, "service_unavailable");
			return;
		}
}

/** Rounds with each idempotency key once; each must be closed before the next one is asked for. */
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

/** Stays open when the earlier item was another request and was refused: the key is free then. */
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
