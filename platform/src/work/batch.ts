import {
	type ErrorDetail,
	ErrorDetailSchema,
} from "@airtower/proto/common/v1/error_detail";
import { create } from "@bufbuild/protobuf";
import { IDEMPOTENCY_REFUSALS } from "../database/idempotency.ts";
import type { IdempotencyKey } from "../database/idempotency-records.ts";

interface Addressed {
	readonly organizationId: string;
	readonly idempotency?:
		| Pick<IdempotencyKey, "key" | "fingerprint">
		| undefined;
}

export type BatchResult<A> =
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

export type AnyItem = BatchItem<unknown, unknown>;

/** Why a message of any kind is refused, with its public sentence. */
const COMMON_REFUSALS = {
	unknown_organization: "There is no such organization.",
	...IDEMPOTENCY_REFUSALS,
	service_unavailable:
		"The message could not be stored now; repeat the request with the same Idempotency-Key.",
	internal_error: "The message could not be stored.",
} as const;

export type CommonRefusal = keyof typeof COMMON_REFUSALS;

/** @param retentionOf how long a message's key is known, ms; undefined for as long as others */
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
		if (result === undefined) throw new Error("A message was left open.");
		return result;
	});
}
